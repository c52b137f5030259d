import typing

import torch
from torch import nn


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("in", nn.Linear(4, 4))

    def forward(self, x: torch.Tensor, options):
        layer = typing.cast(nn.Linear, getattr(self, "in"))  # kind: module
        inner = layer(x)  # kind: tensor
        scale = typing.cast(torch.Tensor, options.scale)  # kind: tensor
        same = typing.cast("torch.Tensor", x > 0)  # kind: tensor bool
        count = typing.cast(int, x.shape[0])  # kind: size
        return inner * scale * same * count
