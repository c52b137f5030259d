"""These functions do more than compute a value: they store, draw random numbers, index, or call themselves."""

import torch
from torch import nn


def noisy(value: torch.Tensor) -> torch.Tensor:
    noise = torch.rand_like(value)
    return value + noise


def shifted(value: torch.Tensor) -> torch.Tensor:
    return noisy(value) - 1.0


def first(value: torch.Tensor) -> torch.Tensor:
    return value * value[0]


def again(value: torch.Tensor, times: int = 1) -> torch.Tensor:
    return again(value, times - 1) if times else value


class Net(nn.Module):
    def counted(self, value: torch.Tensor) -> torch.Tensor:
        self.last = value
        return value * 2.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * 1.0
        if x.sum() > 0:  # GM101
            y = shifted(y)
        if x.sum() > 1:  # GM101
            y = first(y)
        if x.sum() > 2:  # GM101
            y = again(y)
        if x.sum() > 3:  # GM101
            y = self.counted(y)
        return y


forward = Net


def inputs() -> list[object]:
    return [torch.ones(2), torch.zeros(2)]
