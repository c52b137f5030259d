import torch
from torch import nn


class Pick(nn.Module):
    def forward(self, x, choose):
        if choose > 0:
            return x * 2
        return x * 3


def build():
    return Pick(), (torch.ones(2), torch.tensor(1.0)), {}


def bad_inputs():
    return [((torch.ones(2), torch.tensor([1.0, -1.0])), {})]
