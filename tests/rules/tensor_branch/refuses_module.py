"""Refused: running the module always would change its statistics."""

import torch
from torch import nn


class Norm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = self.norm(x)
        return x


forward = Norm


def inputs() -> list[object]:
    return [torch.ones(2, 3), -torch.ones(2, 3)]
