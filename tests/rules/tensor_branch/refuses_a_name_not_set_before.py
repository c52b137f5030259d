"""Refused: what the name holds where the branch is not taken is not known; it may not even be set."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            y = self.linear(x)
        y = x * 2.0
        return y


forward = Net


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
