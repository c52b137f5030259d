import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x.copy_(torch.where(x > 1, x + 1.0, x))
    return x * y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(3.0), torch.ones(3))]
