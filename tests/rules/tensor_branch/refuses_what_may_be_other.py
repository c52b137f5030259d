"""Refused: a caller passes something that is not known, or a class answers otherwise; it need not be a tensor."""

import torch
from torch import nn


def scaled(x: torch.Tensor, by) -> torch.Tensor:
    if by > 0:  # GM101
        return x * 2
    return x + 1


def kept(x: torch.Tensor, value):
    out = x.sum()
    if x.sum() > 0:  # GM101
        out = value
    return out


class Layer(nn.Module):
    def __init__(self, least: int) -> None:
        super().__init__()
        self.least = least

    def is_large(self, x: torch.Tensor):
        return x.sum() > self.least

    def forward(self, x):
        if self.is_large(x):  # GM101
            return x * 2
        return x + 1


class Long(Layer):
    def is_large(self, x: torch.Tensor):
        return x.numel() > self.least


class Model(nn.Module):
    def __init__(self, config: object = None) -> None:
        super().__init__()
        self.scale = getattr(config, "scale", 3)
        self.layers = nn.ModuleList([Layer(0), Long(1), Long(50)])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            x = layer(x)
        x = scaled(x, x.sum()) + scaled(x, self.scale)
        return x + kept(x, x.max()) + kept(x, self.scale)


forward = Model


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
