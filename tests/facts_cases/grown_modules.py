"""Modules that are lists, and get longer after they are made."""

import torch
from torch import nn


class Part(nn.Module):
    def forward(self, x, scale):
        return x * scale  # kind: tensor


class Whole(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.many = nn.ModuleList([])
        for size in sizes:
            self.many.append(nn.ModuleList([nn.Linear(size, size), Part()]))
        more = nn.ModuleList()
        more.append(nn.LSTM(2, 2))
        more.append(nn.Linear(2, 2))
        self.more = more
        self.chain = nn.Sequential()
        self.chain.append(nn.Linear(2, 2))

    def forward(self, x: torch.Tensor):
        for mix, part in self.many:
            x = part(mix(x), 2)  # kind: tensor
        a = self.more[0]  # kind: module
        b = self.more[1](x)  # kind: tensor
        for layer, count in zip(self.many, range(3)):
            c = layer[0](x)  # kind: tensor
        return self.chain(x)  # kind: tensor
