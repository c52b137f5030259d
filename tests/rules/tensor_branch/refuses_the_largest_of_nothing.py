"""Refused: for as many elements as are selected where the condition does not hold, the branch raises or gives NaN."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(()))

    def forward(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        chosen = x[keep]
        total = chosen.sum()
        if keep.any():  # GM101
            total = total + chosen.max()
        if keep.all():  # GM101
            x = x + chosen
        if keep.sum() == 4:  # GM101
            x = x + chosen.abs().reshape(2, 2).sum()
        if keep.any():  # GM101
            total = total + self.weight * chosen.mean()
        self.last = total.detach()
        return total * x


forward = Model


def inputs() -> list[object]:
    return [(-torch.ones(4), torch.tensor([False] * 4)), (torch.ones(4), torch.tensor([True] * 4))]
