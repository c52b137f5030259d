"""A shorter list is what the caller gets: refused unless every caller loops over it, and changes one tensor."""

import torch
from torch import nn


def drop(layers, rate):
    flags = torch.zeros(len(layers)).uniform_(0.0, 1.0) < rate
    return [layer for layer, flag in zip(layers, flags) if not flag]  # GM104


def pick(layers, rate):
    flags = torch.zeros(len(layers)).uniform_(0.0, 1.0) < rate
    return [layer for layer, flag in zip(layers, flags) if flag]  # GM104


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(3, 3) for _ in range(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        count = 0
        for layer in drop(self.layers, 0.5):
            x = layer(x)
            count = count + 1
        for layer in pick(self.layers, 0.5):
            x += layer(x)
        return x * count


forward = Model


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
