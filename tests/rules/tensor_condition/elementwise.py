"""Not flagged: these work on elements."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    inside = (x > 0) & (x < 1)
    return x * inside * ~inside


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
