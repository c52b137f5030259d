"""Refused: one branch needs the old value of what the other has set before."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2.0
    z = x * 3.0
    if x.sum() > 0:  # GM101
        y = x * 0.5
        z = y * 0.25
    else:
        z = y * 2.0
        y = x * 4.0
    return y + z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
