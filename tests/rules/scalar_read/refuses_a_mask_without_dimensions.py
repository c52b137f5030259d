"""Refused: a mask without dimensions selects all or nothing, so torch reads it."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    scores = 1.0 / (x + 1.0)
    scores[x.sum() == 0] = 0.0  # GM201
    scores[x == 1] = 2.0
    return scores


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0), torch.zeros(3)]
