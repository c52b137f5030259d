"""Calls that are told to change their argument."""

import torch
import torch.nn.functional as F
from torch import nn


class Lookup(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3, 2))
        self.table = nn.Embedding(3, 2, max_norm=0.5)

    def forward(self, x: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        y = x * 2
        if x.sum() > 3:  # GM101
            y = y + F.embedding(index, self.weight, max_norm=1.0)
        if x.sum() > 4:  # GM101
            y = y + self.table(index)
        return y


def forward(x: torch.Tensor, index: torch.Tensor, inplace: bool = True) -> torch.Tensor:
    y = x + 0
    if x.sum() > 0:  # GM101
        z = F.relu(y, inplace=True)
    else:
        z = y + 1
    if x.sum() > 1:  # GM101
        z = F.elu(y, 1.0, True)
    if x.sum() > 2:  # GM101
        z = F.silu(y, inplace=inplace)
    return lookup(z + y, index)


lookup = Lookup()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, -0.5]), torch.tensor([0, 2])), (torch.tensor([-1.0, -2.0]), torch.tensor([0, 2]))]
