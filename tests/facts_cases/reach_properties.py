import functools

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.register_buffer("seen", torch.zeros(3))

    @property
    def total(self):
        return self.weight.sum()  # kind: tensor 0-dim

    @functools.cached_property
    def size(self):
        return self.seen.shape[0]  # kind: size

    def forward(self, x):
        a = self.total  # kind: tensor 0-dim
        b = self.size  # kind: size
        return a * b
