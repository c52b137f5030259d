"""A mask that may be None elsewhere is one where it is an index."""

import torch
from torch import nn


def exists(value):
    return value is not None


class forward(nn.Module):
    def forward(self, x: torch.Tensor, lens: torch.Tensor = None) -> torch.Tensor:
        mask = None
        if exists(lens):
            mask = torch.arange(x.shape[0]) < lens
        x = x * 2
        if exists(mask):
            x = x[mask]  # GM501
        return x.sum()


def inputs() -> list[object]:
    return [(torch.arange(4.0), torch.tensor(2))]
