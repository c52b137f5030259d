# expect: values: state table
import torch
from torch import nn


class Rotary(nn.Module):
    """Two names for one table, until a long prompt asks for a new one."""

    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(0.1, 1.0, 4))
        self.original = self.table

    def forward(self, positions):
        self.table.copy_(torch.where(positions.max() > 8, self.original / 2, self.original))
        return positions[:, None] * self.table


def build():
    return Rotary(), (torch.arange(4.0),), {}


def more_inputs():
    return [((torch.arange(6.0, 10.0),), {})]
