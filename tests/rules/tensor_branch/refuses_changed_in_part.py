"""Refused: a view of the tensor, or what holds it, is changed in place later, and the caller's tensor must see it."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Held:
    tensor: torch.Tensor


def same(x: torch.Tensor) -> torch.Tensor:
    return x


class Doubling(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.mul_(2)


class Heir(Doubling):
    pass


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.act = nn.ReLU(inplace=True)
        self.heir = Heir()

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a, b, c, d, e, f, g, h, i, j, k = x.unbind()
        return self.parts(a, b, c), self.calls(d, e, f), self.holders(g, h, i), self.turns(j), self.inherited(k)

    def inherited(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        self.heir(x)
        return x + 1

    def parts(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        x[0].add_(1)
        if y.sum() > 0:  # GM101
            y = y * 2
        y.view(-1).data.mul_(2)
        if z.sum() > 0:  # GM101
            z = z * 2
        same(z).add_(1)
        return x + y + z

    def calls(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        F.relu_(x)
        if y.sum() > 0:  # GM101
            y = y * 2
        torch.add(y, 1, out=y)
        if z.sum() > 0:  # GM101
            z = z * 2
        return x + y + self.act(z)

    def holders(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        kept = []
        kept.append(x)
        kept[-1].add_(1)
        if y.sum() > 0:  # GM101
            y = y * 2
        named = {}
        named["y"] = y
        named["y"].add_(1)
        if z.sum() > 0:  # GM101
            z = z * 2
        held = Held(z)
        held.tensor.add_(1)
        return x + y + z

    def turns(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        for _ in range(3):
            if y.max() < 0:  # GM101
                break
            y = y * 0.5
        y[0].add_(1)
        return x + y


forward = Model


def inputs() -> list[object]:
    return [torch.ones(11, 2), -torch.ones(11, 2)]
