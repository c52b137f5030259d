"""Functions of this file are looked into: these compute a value, and nothing else."""

import torch
from torch import nn


def softened(value: torch.Tensor, by: float) -> torch.Tensor:
    sign = torch.sign(value)
    return sign * by + value * 0.5


class Range:
    def __init__(self) -> None:
        self.low, self.high = torch.full((2,), -1.0), torch.full((2,), 1.0)

    def holds(self, value: torch.Tensor) -> torch.Tensor:
        return ((value >= self.low) & (value <= self.high)).all()

    def project(self, value: torch.Tensor) -> torch.Tensor:
        return value.clamp(self.low, self.high)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)
        self.range = Range()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.linear(x)
        if not self.range.holds(y):  # GM101
            y = self.range.project(y)
        if y.sum() > 0:  # GM101
            y = softened(y, by=0.25)
        return y


forward = Net


def inputs() -> list[object]:
    return [torch.ones(3, 2) * scale for scale in (0.01, 9.0, -9.0, 0.01)]
