# expect: dtype: output
import torch
from torch import nn


class Narrow(nn.Module):
    def forward(self, x):
        return torch.where(x.abs().max() < 8, x.half(), x)


def build():
    return Narrow(), (torch.tensor([1.0, 2.0]),), {}


def more_inputs():
    return [((torch.tensor([1.0, 9.0]),), {})]
