"""Refused: a function that is called asks whether the result requires grad."""

import torch
from torch import nn


def scale(x: torch.Tensor) -> float:
    return deeper(x)


def deeper(x: torch.Tensor) -> float:
    return 2.0 if x.requires_grad else 1.0


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            y = x * 2.0
        else:
            y = self.weight * 2.0
        return y * scale(y)


forward = Model


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
