import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    mask = x > 0
    return torch.where(mask, x, 0).sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
