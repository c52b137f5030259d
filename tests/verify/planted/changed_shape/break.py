import torch
from torch import nn


class Empty(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return x.new_zeros(1)


def build():
    return Empty(), (torch.ones(3),), {}


def more_inputs():
    return [((-torch.ones(3),), {})]
