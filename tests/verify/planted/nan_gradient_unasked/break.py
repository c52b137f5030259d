import torch
from torch import nn


class Root(nn.Module):
    def forward(self, x):
        if x.min() > 0:
            y = x.sqrt()
        else:
            y = x
        return y


def build():
    return Root(), (torch.rand(4).add(0.5),), {}


def more_inputs():
    return [((torch.tensor([-1.0, 0.0, 1.0, 2.0]),), {})]
