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
        # cheap
        condition = h.mean() > self.threshold

        def if_true():
            return self.head(h)

        def if_false():
            return self.deep(h).clone()

        if torch.compiler.is_compiling():
            h = torch.cond(condition, if_true, if_false)
        else:
            h = if_true() if condition else if_false()
        condition = h.sum() > 0

        def if_true():
            return self.head(h)

        def if_false():
            return h.clone()

        if torch.compiler.is_compiling():
            h = torch.cond(condition, if_true, if_false)
        else:
            h = if_true() if condition else if_false()

        condition = h.norm() < 1

        def if_true():
            return self.exit(h)

        def if_false():
            return self.exit(h * 0.5) + 1.0

        if torch.compiler.is_compiling():
            return torch.cond(condition, if_true, if_false)
        return if_true() if condition else if_false()


forward = Net


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(2, 4) * scale).requires_grad_() for scale in (1.0, -3.0, 0.01, 1.0)]
