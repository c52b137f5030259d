"""A table that has a configured length at least is made that long, and compiled code asserts that it will do."""

import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self, limit: int = 16) -> None:
        super().__init__()
        self.limit = limit
        self.length = 0
        self.table = None

    def grow(self, length: int) -> None:
        self.table = torch.outer(torch.arange(length).float(), torch.tensor([1.0, 0.5]))
        self.length = length

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        # positions may be anywhere
        needed = int(positions.max()) + 1  # GM201
        if needed > self.length:
            self.grow(max(needed, self.limit))
        return x * self.table[positions]


class Inline(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.length = 0
        self.table = torch.zeros(0)

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        if self.length <= torch.max(positions).item():  # GM201
            self.table = torch.arange(max(32, torch.max(positions).item())) * 2.0  # GM201
            self.length = max(32, torch.max(positions).item())  # GM201
        return x + self.table[positions].unsqueeze(-1)


class Forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rotary = Rotary()
        self.inline = Inline()

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return self.inline(self.rotary(x, positions), positions)


forward = Forward


def inputs() -> list[object]:
    x = torch.ones(3, 2)
    return [(x, torch.arange(3)), (x, torch.arange(12, 15)), (x, torch.tensor([0, 15, 1]))]
