import torch
from torch import nn


class Base(nn.Module):
    def forward(self, x: torch.Tensor):
        y = self.mix(x)  # kind: tensor
        return y

    def mix(self, x):
        return x  # kind: tensor


class Derived(Base):
    def forward(self, x: torch.Tensor):
        return super().forward(x).sum()  # kind: tensor 0-dim

    def mix(self, x):
        return x.mean()  # kind: tensor 0-dim


class Main(nn.Module):
    def __init__(self):
        super().__init__()
        self.derived = Derived()

    def forward(self, x: torch.Tensor):
        return self.derived(x)  # kind: tensor 0-dim
