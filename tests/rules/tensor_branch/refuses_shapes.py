"""Refused: one side has no dimensions; selecting would broadcast it."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        y = x.sum()
    else:
        y = x * 2.0
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
