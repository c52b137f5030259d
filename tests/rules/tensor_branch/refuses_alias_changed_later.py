"""Refused: `z` is `y` itself on one side, and changes later."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2.0
    if x.sum() > 0:  # GM101
        z = y
    else:
        z = y + 1.0
    z.add_(1.0)
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
