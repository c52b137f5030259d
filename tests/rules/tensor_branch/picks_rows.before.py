"""Rows picked by numbers may be picked in an arm; names that an arm sets again are its own."""

import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Parameter(torch.rand(3, 4, 4))

    def forward(self, x: torch.Tensor, index: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        tokens, top_k = index.shape
        if (weights == 0).all():  # GM101
            return torch.zeros_like(x)
        rows = torch.arange(tokens, device=x.device).unsqueeze(1).expand(-1, top_k).reshape(-1)
        experts = index.reshape(-1)
        result = torch.bmm(x[rows].unsqueeze(1), self.up[experts]).squeeze(1)
        result = result * weights.reshape(-1, 1)
        return torch.zeros_like(x).index_add(0, rows, result)


class Lookup(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.rand(5, 4))

    def forward(self, x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        order = scores.argsort()
        if scores.max() > 2:  # GM101
            x = x[order] * self.table[order % 5]
        return x


class Forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.experts = Experts()
        self.lookup = Lookup()

    def forward(self, x: torch.Tensor, index: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        return self.lookup(self.experts(x, index, weights), weights.sum(-1))


forward = Forward


def inputs() -> list[object]:
    x, index = torch.linspace(-1, 1, 24).reshape(6, 4), torch.arange(12).reshape(6, 2) % 3
    weights = torch.linspace(0, 1, 12).reshape(6, 2)
    return [(x, index, weights), (x, index, torch.zeros(6, 2)), (x, index, weights * 9), (x, index, weights)]
