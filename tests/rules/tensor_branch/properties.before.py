"""A property that computes a value, and nothing else, may be read on both sides."""

import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))

    @property
    def half(self) -> torch.Tensor:
        return self.weight / 2

    @property
    def scale(self) -> torch.Tensor:
        half = self.half
        return half * 3

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * self.scale
        else:
            x = x + self.half
        return x


forward = Forward


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2)]
