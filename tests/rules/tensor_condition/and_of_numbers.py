"""Refused: the operands are numbers, and `&` would combine their bits."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x.sum() and x.mean()  # GM104
    return y * 2


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
