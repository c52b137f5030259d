import torch
from torch import nn


class Noisy(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x + torch.rand_like(x)
        return x


def build():
    return Noisy(), (torch.ones(3),), {}


def more_inputs():
    return [((-torch.ones(3),), {})]
