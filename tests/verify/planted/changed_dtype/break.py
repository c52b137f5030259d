import torch
from torch import nn


class Narrow(nn.Module):
    def forward(self, x):
        if x.abs().max() < 8:
            return x.half()
        return x


def build():
    return Narrow(), (torch.tensor([1.0, 2.0]),), {}


def more_inputs():
    return [((torch.tensor([1.0, 9.0]),), {})]
