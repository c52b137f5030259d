from typing import NamedTuple

import torch
from torch import nn


class Output(NamedTuple):
    hidden: torch.Tensor
    size: int


class Model(nn.Module):
    limit = 3

    def __init__(self, width: int, bias=None):
        super().__init__()
        self.width = width
        self.alias = self.width
        self.layer = nn.Linear(width, width)
        self.count = 0
        self.register_buffer("table", torch.zeros(3), persistent=False)

    def forward(self, x):
        a = self.width  # kind: constant
        b = self.alias  # kind: constant
        c = self.layer  # kind: module
        d = self.layer(x)  # kind: tensor
        e = self.layer.weight  # kind: tensor
        f = self.table  # kind: tensor
        g = self.limit  # kind: constant
        h = self.training  # kind: constant
        self.last = x
        i = self.last  # kind: tensor
        out = Output(x, 3)
        j = out.hidden  # kind: tensor
        k = out.size  # kind: constant
        return a, b, c, d, e, f, g, h, i, j, k
