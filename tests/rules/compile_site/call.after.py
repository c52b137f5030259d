import torch


def forward(x: torch.Tensor, length: torch.Tensor) -> torch.Tensor:
    tail = torch.zeros(length.item())
    return torch.cat([x, tail])[x.sum().to(torch.int64).clamp(0, 1) :]


compiled = torch.compile(forward, dynamic=True, fullgraph=True)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.ones(3, requires_grad=True)
    return [(x, torch.tensor(2)), (-x, torch.tensor(0)), (x, torch.tensor(3)), (x, torch.tensor(2))]
