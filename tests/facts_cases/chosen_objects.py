"""One of several modules or objects in one attribute: each may be called, read and stored to."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return x * self.scale  # kind: tensor

    def rate(self):
        return self.scale  # kind: tensor 0-dim


class Shifted(nn.Module):
    def forward(self, x):
        return x.sum(), x  # kind: container

    def rate(self):
        return 0.5  # kind: constant

    def shape_of(self, x):
        return x.shape  # kind: container


class Greedy:
    def pick(self, x):
        return x.argmax().item()  # kind: scalar

    def __call__(self, x):
        return x  # kind: tensor


class Fixed:
    def pick(self, x):
        return 3  # kind: constant

    def __call__(self, x, n: int):
        return x, n  # reached


class Model(nn.Module):
    def __init__(self, shift: bool, greedy: bool, depth: int) -> None:
        super().__init__()
        self.block = Shifted() if shift else Scaled()
        if greedy:
            self.sampler = Greedy()
        else:
            self.sampler = Fixed()
        self.layers = nn.ModuleList([Scaled() if i % 2 else Shifted() for i in range(depth)])
        self.heads = nn.ModuleList([Shifted()]) if depth else Shifted()
        self.head = None
        if depth > 2:
            self.head = Scaled()
        elif depth > 1:
            self.head = Shifted()

    def forward(self, x: torch.Tensor):
        rate = self.block.rate()  # kind: constant | tensor
        out = self.block(x)  # kind: tensor | container
        n = self.sampler.pick(x)  # kind: constant | scalar
        for layer in self.layers:
            y = layer(x)  # kind: tensor | container
        if isinstance(self.block, Scaled):
            a = self.block(x)  # kind: tensor
        else:
            a = self.block(x)  # kind: container
        if self.head is not None:
            a = self.head.rate()  # kind: constant | tensor
        shape = self.block.shape_of(x)  # kind: container
        pair = self.sampler(x, 1)  # kind: container
        same = self.sampler(x)  # kind: tensor
        parts = self.heads.shape_of(x)  # kind: container
        return parts, rate, out, n, a, y, shape, pair, same
