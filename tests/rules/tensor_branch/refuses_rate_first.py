"""Not fixed: the rate is asked about already, is above zero in this file, or the number may be below zero."""

from types import SimpleNamespace

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, config: SimpleNamespace, rate: float = 0.1) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))
        self.layerdrop = config.layerdrop
        self.rate = rate

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            if self.layerdrop > 0:
                p = torch.rand([])
                if p < self.layerdrop:  # GM101
                    continue
            q = torch.rand([])
            if self.rate > q:  # GM101
                continue
            r = torch.randn([])
            if r < self.layerdrop:  # GM101
                continue
            s = torch.rand([])
            if s <= self.layerdrop:  # GM101
                continue
            hidden = torch.relu(layer(hidden))
        return hidden


forward = Encoder(SimpleNamespace(layerdrop=0.5))


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
