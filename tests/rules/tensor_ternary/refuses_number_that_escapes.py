"""Refused: the number is a size, and a tensor could not take its place."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    size = 2 if x.sum() > 0 else 3  # GM102
    return x.repeat(size)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
