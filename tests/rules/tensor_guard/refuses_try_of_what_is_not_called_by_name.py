"""Refused: the exception is swallowed by a context, or caught around a property, a partial or modules in a row."""

import contextlib
import functools

import torch
from torch import nn


def positive(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():  # GM105
        raise ValueError("negative")
    return x + 1


def small(x: torch.Tensor, limit: float) -> torch.Tensor:
    if x.max() > limit:  # GM105
        raise ValueError("large")
    return x + 1


class Odd(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() == 3:  # GM105
            raise ValueError("three")
        return x


class Lenient:
    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, *rest: object) -> bool:
        return kind is ValueError


class MoreLenient(Lenient):
    pass


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(Odd(), nn.ReLU())
        self.register_buffer("count", torch.zeros(2))

    @property
    def scale(self) -> int:
        if (self.count > 0).any():  # GM105
            raise ValueError("used")
        return 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * 1
        with contextlib.suppress(ValueError):
            y = positive(x)
        with Lenient():
            if x.sum() == 2:  # GM105
                raise ValueError("two")
            y = y * 2
        with MoreLenient():
            if x.sum() == 4:  # GM105
                raise ValueError("four")
            y = y * 2
        checked = functools.partial(small, limit=2.0)
        try:
            y = checked(y)
        except ValueError:
            y = y - 1
        try:
            y = self.layers(y) * self.scale
        except ValueError:
            y = y * 3
        self.count += 1
        return y


forward = Model


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2), torch.full((2,), 0.3)]
