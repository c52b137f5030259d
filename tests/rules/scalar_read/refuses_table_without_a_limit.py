"""Refused: how long the table may become is known to nobody, or it may be longer or shorter than the limit says."""

import torch
from torch import nn


class Doubling(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.length = 0
        self.table = torch.zeros(0)

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        needed = int(positions.max()) + 1  # GM201
        if needed > self.length:
            self.table = torch.arange(max(needed, 2 * self.length)) * 2.0
            self.length = max(needed, 2 * self.length)
        return x + self.table[positions]


class Filled(nn.Module):
    def __init__(self, limit: int = 16) -> None:
        super().__init__()
        self.limit = limit
        self.grow(4)

    def grow(self, length: int) -> None:
        self.table = torch.arange(length) * 2.0
        self.length = length + 1

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        needed = int(positions.max()) + 1  # GM201
        if needed >= self.length:
            self.grow(max(needed, self.limit))
        return x + self.table[positions]


class Counting(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.length = 0
        self.table = torch.zeros(0)

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        needed = int(positions.max()) + 1  # GM201
        if needed > self.length:
            self.table = torch.arange(max(needed, 16)) * 2.0
            self.length = max(needed, 16)
        return x + self.table[positions] * needed


class Forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.doubling, self.filled, self.counting = Doubling(), Filled(), Counting()

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        return self.doubling(x, positions) + self.filled(x, positions) + self.counting(x, positions)


forward = Forward


def inputs() -> list[object]:
    return [(torch.ones(3), torch.arange(3))]
