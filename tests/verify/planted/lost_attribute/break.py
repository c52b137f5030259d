import torch
from torch import nn


class Counter(nn.Module):
    """Keeps what it saw; the rewrite forgets it when compiled."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls = self.calls + 1
        if x.sum() > 0:
            x = x * 2
        return x


def build():
    return Counter(), (torch.ones(3),), {}
