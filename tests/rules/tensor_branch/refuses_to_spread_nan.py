"""The side that is not taken gets a gradient of zero, and what is not finite makes NaN of it."""

import math

import torch
from torch import nn


def is_broken(x: torch.Tensor) -> torch.Tensor:
    return torch.isnan(x).any() | torch.isinf(x).any()


def is_equal_to_itself(x: torch.Tensor) -> torch.Tensor:
    total = x.sum()
    if total != total:  # GM101
        return total * 0 + 1
    return total * total


def without_infinity(x: torch.Tensor, top: float = math.inf) -> torch.Tensor:
    total = (x * x).sum()
    limit = float("inf")
    if total == math.inf:  # GM101
        total = torch.zeros_like(total)
    small = x.abs() < limit
    if not small.all():  # GM101
        total = torch.ones_like(total)
    if total > 3e38:  # GM101
        total = x.sum()
    if total >= torch.finfo(total.dtype).max:  # GM101
        total = torch.zeros_like(total)
    return total


def by_another_name(x: torch.Tensor) -> torch.Tensor:
    total, same = (x * x).sum(), x
    if torch.isfinite(same).all():  # GM101
        out = total * 2
    else:
        out = torch.zeros_like(total)
    if is_broken(x):  # GM101
        total = torch.zeros_like(total)
    return out + total


def limited(loss: torch.Tensor) -> torch.Tensor:
    if torch.isnan(loss):  # GM101
        return torch.zeros_like(loss)
    return loss * 2


def reciprocal(x: torch.Tensor) -> torch.Tensor:
    y = x * 3
    if (x != 0).all():  # GM101
        y **= -1
    return y


class Careful(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.weight = nn.Parameter(torch.ones(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        loss = self.layer(x).exp().mean()
        broken = torch.isinf(loss) | torch.isnan(loss)
        if broken:  # GM101
            loss = loss.detach() * 0
        y = x
        if torch.isfinite(loss).all():  # GM101
            y = x - loss
        other = x * self.weight
        if torch.isinf(self.weight).any():  # GM101
            other = x + 1
        total = is_equal_to_itself(x) + without_infinity(x) + by_another_name(x) + reciprocal(x)
        return y + limited(loss) + other + total


forward = Careful


def inputs() -> list[object]:
    return [torch.ones(2), torch.full((2,), 1e10)]
