"""Layers that a random tensor leaves out: at a rate of zero, no tensor is asked."""

from types import SimpleNamespace

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, config: SimpleNamespace) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))
        self.layerdrop = config.layerdrop
        self.config = config

    def drops(self, rate: float) -> bool:
        return rate > 1

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            if self.training:
                p = torch.rand([])
                if p < self.layerdrop:  # GM101
                    continue
            hidden = torch.relu(layer(hidden))
        if self.training and self.layerdrop > torch.rand(1):  # GM101
            print("left out")
        draw = torch.rand(())
        if not draw < self.config.layerdrop:  # GM101
            hidden = hidden + self.drops(1)
        return hidden


def forward(hidden: torch.Tensor) -> torch.Tensor:
    return model(hidden)


torch.manual_seed(0)
model = Encoder(SimpleNamespace(layerdrop=0.0))
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
