"""Gradients are off, and what is handed back was computed while they were."""

import torch
from torch import nn


class Steps(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.steps = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))

    def rest(self, h: torch.Tensor) -> torch.Tensor:
        for step in self.steps:
            h = h + torch.tanh(step(h))
        return h

    def forward(self, x: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            h = x + self.first(x)
            if h.abs().mean() < 1:  # GM101
                out = h + known
            else:
                out = self.rest(h)
        return out * x


forward = Steps


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(2, 4, requires_grad=True) * scale, torch.ones(2, 4)) for scale in (0.1, 9.0, 0.1)]
