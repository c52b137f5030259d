import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, n: int) -> None:
        super().__init__()
        self.register_buffer("ready", torch.tensor(False))
        self.register_buffer("count", torch.zeros((), dtype=torch.long))
        self.register_buffer("limit", torch.full(size=(), fill_value=3.0))
        self.register_buffer("row", torch.zeros(1, dtype=torch.bool))
        self.register_buffer("sized", torch.tensor(n))
        self.scale = nn.Parameter(torch.ones([]))
        self.weight = nn.Parameter(torch.tensor(1.0))
        self.either = torch.tensor(True)

    def reset(self) -> None:
        self.either = torch.ones(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = self.ready  # kind: tensor 0-dim bool
        b = self.count  # kind: tensor 0-dim integer
        c = self.limit  # kind: tensor 0-dim
        d = self.row  # kind: tensor bool
        e = self.scale  # kind: tensor 0-dim
        f = self.weight  # kind: tensor 0-dim float
        g = self.either  # kind: tensor
        h = self.sized  # kind: tensor
        return x * (a & b & c & d & e & f & g & h)
