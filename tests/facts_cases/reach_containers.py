import torch
from torch import nn


class Block(nn.Module):
    def forward(self, x):
        return x + 1  # kind: tensor


class Gate(nn.Module):
    def forward(self, x):
        return x.mean()  # kind: tensor 0-dim


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.named = nn.ModuleDict({"gate": Gate(), "block": Block()})
        self.chain = nn.Sequential(Block(), Gate())

    def forward(self, x: torch.Tensor):
        for block in self.blocks:
            x = block(x)  # kind: tensor
        gate = self.named["gate"](x)  # kind: tensor 0-dim
        last = self.blocks[-1](x)  # kind: tensor
        return gate + self.chain(last)  # kind: tensor 0-dim
