import torch
from torch import nn


class Mask(nn.Module):
    def forward(self, x):
        y = x.clone()
        if (x > 0).any():
            y[x > 0] = 0.0
        return y


def build():
    return Mask(), (torch.tensor([-1.0, 1.0]),), {}
