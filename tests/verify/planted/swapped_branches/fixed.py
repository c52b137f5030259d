# expect: values: output
import torch
from torch import nn


class Gate(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x * 3, x * 2)


def build():
    return Gate(), (torch.ones(3),), {}
