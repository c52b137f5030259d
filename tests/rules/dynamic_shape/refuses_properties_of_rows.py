"""A property that counts how often it is read, where no row may be selected."""

import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    @property
    def shift(self) -> torch.Tensor:
        self.reads += 1
        return torch.ones(2)

    def forward(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        rows = torch.where(keep)[0]  # GM501
        out = x.clone()
        if len(rows) > 0:
            out[rows] = x[rows] + self.shift
        return out


forward = Forward


def inputs() -> list[object]:
    x = torch.ones(3, 2)
    return [(x, torch.tensor([True, False, True])), (x, torch.zeros(3, dtype=torch.bool))]
