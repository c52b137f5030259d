"""Refused: `half` is a Python number that later code reads."""

import torch


def forward(x: torch.Tensor, half: float = 1.0) -> torch.Tensor:
    if x.mean() > 0:  # GM101
        half = 0.5
        x = x * half
    return x + half


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
