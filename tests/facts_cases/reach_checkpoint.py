import torch
import torch.utils.checkpoint as cp
from torch import nn
from torch.utils.checkpoint import checkpoint


class Blocks(nn.Module):
    def __init__(self, depth):
        super().__init__()
        layers = []
        for _ in range(depth):
            layers.append(nn.Linear(4, 4))
        self.net = nn.Sequential(nn.Identity(), *layers)

    def first(self, x):
        return x.sum() > 0  # kind: tensor 0-dim bool

    def second(self, x):
        return x + 1  # reached

    def forward(self, x: torch.Tensor):
        checkpoint(self.first, x, use_reentrant=False)
        y = cp.checkpoint(self.second, x)  # kind: tensor
        return self.net(y)  # kind: tensor
