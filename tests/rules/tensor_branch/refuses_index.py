"""Refused: the index may be out of range on the side not taken."""

import torch


def forward(x: torch.Tensor, i: int = 2) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        y = x[i] * 2.0
    else:
        y = x[0] * 2.0
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
