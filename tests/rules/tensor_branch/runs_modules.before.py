"""Modules run in one branch only: `torch.cond` keeps it so when compiled, and eager mode branches as before."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head, self.exit = nn.Linear(4, 4), nn.Linear(4, 2)
        self.blocks = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))
        self.scale = nn.Parameter(torch.ones(4))
        self.threshold = 0.5

    def deep(self, h: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            h = h + torch.tanh(block(h))
        return h

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x * self.scale
        if h.mean() > self.threshold:  # GM101
            h = self.head(h)  # cheap
        else:
            h = self.deep(h)
        if h.sum() > 0:  # GM101
            h = self.head(h)

        if h.norm() < 1:  # GM101
            return self.exit(h)
        return self.exit(h * 0.5) + 1.0


forward = Net


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(2, 4) * scale).requires_grad_() for scale in (1.0, -3.0, 0.01, 1.0)]
