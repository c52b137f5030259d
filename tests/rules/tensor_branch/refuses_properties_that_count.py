"""Refused: a property that changes something is read only where the tensor has not decided yet."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.asked = torch.zeros(())

    @property
    def again(self) -> bool:
        self.asked = self.asked + 1
        return True

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0 and self.again:  # GM101
            x = x * 2
        if x.max() > 3 or self.again:  # GM101
            x = x + 1
        return x * self.asked


forward = Model


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2), torch.ones(2) * 3]
