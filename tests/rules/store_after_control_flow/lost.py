import torch
from torch import nn


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.zeros(())
        self.second = torch.zeros(())
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.first = x.sum()
        y = torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
        self.second = y.sum()  # GM903
        return y


class Buffers(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.count = torch.cond(x.sum() > 0, lambda: self.count + 1, lambda: self.count.clone())  # GM903
        return x * self.count


def inputs():
    return [(torch.ones(2),), (-torch.ones(2),)]
