import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        y = self.layer(x)
        if x.sum() > 0:  # GM101
            return y.sum() * 0.0
        z = self.layer(y)
        return z.abs().mean()


forward = Forward


def inputs() -> list[object]:
    return [torch.ones(2, 2), -torch.ones(2, 2)]
