import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x * 2
        return x * 3


def build():
    return Gate(), (torch.ones(3),), {}
