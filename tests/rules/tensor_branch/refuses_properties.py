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


    @property
    def rate(self) -> float:
        self.reads += 1
        return 2.0


class Forward(Base):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x + 1
        if x.sum() > 0:  # GM101
            y = x * self.counted
        if x.sum() > 1:  # GM101
            y = y * self.indirect
        bad = y.isnan()
        if bad.any():  # GM101
            y = y.masked_fill(bad, self.rate)
        out = torch.zeros_like(y)
        for i in range(y.shape[0]):
            if y[i] > 0:  # GM101
                out[i] = y[i] * self.rate
        return out


forward = Forward


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2)]
