import torch
from torch import nn


class Chatty(nn.Module):
    def forward(self, x):
        print("mean:", x.mean())
        return x * 2


def build():
    return Chatty(), (torch.ones(3),), {}
