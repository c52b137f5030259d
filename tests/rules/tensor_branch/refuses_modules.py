"""Refused: these modules draw random numbers or keep statistics; one may be missing; and another method stores."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, head: nn.Linear | None = None) -> None:
        super().__init__()
        self.linear, self.drop, self.norm = nn.Linear(3, 3), nn.Dropout(), nn.BatchNorm1d(3)

    def noisy(self, x: torch.Tensor) -> torch.Tensor:
        return self.linear(x) + torch.rand_like(x)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = self.drop(x)
        if x.sum() > 1:  # GM101
            x = self.norm(x)
        if x.sum() > 2:  # GM101
            x = self.noisy(x)
        return x


class Stores(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.last = x
        if x.sum() > 0:  # GM101
            x = self.linear(x)
        return x


forward = Net


def inputs() -> list[object]:
    return [torch.ones(2, 3), -torch.ones(2, 3)]
