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
        if torch.compiler.is_compiling():
            if self.length < self.limit:
                self.grow(self.limit)
            torch._assert_async(
                positions.max() + 1 <= self.length,
                "the table is too short, and does not grow beyond self.limit in compiled code",
            )
        else:
            needed = int(positions.max()) + 1
            if needed > self.length:
                self.grow(max(needed, self.limit))
        return x * self.table[positions]


class Inline(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.length = 0
        self.table = torch.zeros(0)

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        if torch.compiler.is_compiling():
            if self.length < 32:
                self.table = torch.arange(32) * 2.0
                self.length = 32
            torch._assert_async(
                torch.max(positions) <= self.length,
                "the table is too short, and does not grow beyond 32 in compiled code",
            )
        elif self.length <= torch.max(positions).item():
            self.table = torch.arange(max(32, torch.max(positions).item())) * 2.0
            self.length = max(32, torch.max(positions).item())
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
