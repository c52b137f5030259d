"""A property is a method: what it changes, or prints, must not happen where it was not read."""

import torch
from torch import nn


class Base(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.reads = 0

    @property
    def counted(self) -> torch.Tensor:
        self.reads += 1
        return self.weight * 2

    @property
    def indirect(self) -> torch.Tensor:
        return self.counted + 1


class Forward(Base):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        if x.sum() > 0:  # GM101
            y = x * self.counted
        if x.sum() > 1:  # GM101
            y = y * self.indirect
        return y


forward = Forward


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2)]
