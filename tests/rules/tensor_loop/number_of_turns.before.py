import torch


def forward(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    for _ in range(n.item()):  # GM103
        x = x * 0.5 + 1
    y = x * 2
    for k in range(int(n)):  # GM103
        y = y + x * k
    return y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.tensor([1.0, -2.0], requires_grad=True)
    return [(x, torch.tensor(each)) for each in (2, 0, 2, 5, -1)]
