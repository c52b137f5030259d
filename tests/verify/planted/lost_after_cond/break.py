import torch
from torch import nn


class Memory(nn.Module):
    """Remembers how often it ran, and what came out last."""

    def __init__(self):
        super().__init__()
        self.calls = 0
        self.last = torch.zeros(3)

    def forward(self, x):
        self.calls = self.calls + 1
        if x.sum() > 0:
            y = x * 2
        else:
            y = x * 3
        self.last = y
        self.calls = self.calls + 1
        return y + 1


def build():
    return Memory(), (torch.ones(3),), {}


def more_inputs():
    return [((-torch.ones(3),), {})]
