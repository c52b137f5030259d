import torch
from torch import nn


class Rotary(nn.Module):
    """Two names for one table, until a long prompt asks for a new one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(0.1, 1.0, 4))
        self.original = self.table

    def forward(self, positions):
        if positions.max() > 8:
            self.table = self.original / 2
        else:
            self.table = self.original
        return positions[:, None] * self.table


def build():
    return Rotary(), (torch.arange(4.0),), {}


def more_inputs():
    return [((torch.arange(6.0, 10.0),), {})]
