"""Refused: a caller changes in place what it is given back, and that may be the tensor it passed, or a buffer."""

import torch
from torch import nn


class Halved(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.max() > 1:  # GM101
            x = x * 0.5
        return x


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.halved = Halved()
        self.act = nn.ReLU(inplace=True)
        self.register_buffer("bias", torch.ones(2))

    def shifted(self, x: torch.Tensor) -> torch.Tensor:
        if x.min() > 0:  # GM101
            x = x - 1
        return x

    def passed_on(self, x: torch.Tensor) -> torch.Tensor:
        return self.shifted(x)

    def picked(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            return self.bias
        return x * 2

    def both(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        if x.mean() > 0:  # GM101
            x = x + 1
        return x, x

    def clean(self, x: torch.Tensor) -> torch.Tensor:
        if x.mean() > 0:  # GM101
            x = x + 1
        return x

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a = self.halved(x)
        a[0] = 3
        b = self.passed_on(y)
        b += 1
        self.picked(x).add_(1)
        c, _ = self.both(y)
        return a, b, c.mul_(2), self.act(self.clean(x))


forward = Model


def inputs() -> list[object]:
    return [(torch.ones(2) * 3, torch.ones(2)), (-torch.ones(2), -torch.ones(2))]
