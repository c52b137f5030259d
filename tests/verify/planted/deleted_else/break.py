import torch
from torch import nn


class Scale(nn.Module):
    def forward(self, x):
        if (x < 0).any():
            raise ValueError("negative input")
        else:
            x = x * 2
        return x + 1


def build():
    return Scale(), (torch.rand(3),), {}
