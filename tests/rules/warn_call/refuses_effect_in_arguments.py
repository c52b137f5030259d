"""Refused: the arguments change something that is used later."""

import warnings

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    left = ["a"]
    warnings.warn(left.pop(), stacklevel=2)  # GM303
    return x + len(left)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
