"""Refused: lists of the file, setters, and an object's own `+=` change the tensor, as do callers that take it apart."""

import torch
from torch import nn

KEPT: list[torch.Tensor] = []


def keep(x: torch.Tensor) -> None:
    KEPT.append(x)


def bump_kept() -> None:
    for each in KEPT:
        each.add_(1)
    KEPT.clear()


class Held:
    def __init__(self, x: torch.Tensor) -> None:
        self.tensor = x

    def __iadd__(self, number: int) -> "Held":
        self.tensor.add_(number)
        return self

    def __setitem__(self, key: int, number: float) -> None:
        self.tensor.add_(number)


def chosen(x: torch.Tensor) -> list[torch.Tensor]:
    if x.sum() > 0:  # GM101
        x = x * 2
    return [x]


def named(x: torch.Tensor) -> dict[str, torch.Tensor]:
    if x.sum() > 0:  # GM101
        x = x * 2
    return dict(x=x)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("held", torch.zeros(2))

    @property
    def value(self) -> torch.Tensor:
        return self.held

    @value.setter
    def value(self, x: torch.Tensor) -> None:
        self.held.copy_(x)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a, b, c, d, e, f = x.unbind()
        return self.kept(a), self.objects(b, c), self.set(d), self.given(e, f), x

    def kept(self, x: torch.Tensor) -> torch.Tensor:
        keep(x)
        if x.sum() > 0:  # GM101
            x = x * 2
        bump_kept()
        return x + 1

    def objects(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        first, second = Held(x), Held(y)
        if x.sum() > 0:  # GM101
            x = x * 2
        first += 1
        if y.sum() > 0:  # GM101
            y = y * 2
        second[0] = 1.0
        return x + y

    def set(self, x: torch.Tensor) -> torch.Tensor:
        y = self.held
        if x.sum() > 0:  # GM101
            y = x * 2
        self.value = x + 3
        return y + 1

    def given(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        for each in chosen(x):
            each += 1
        named(y)["x"].add_(1)
        return x + y


forward = Model


def inputs() -> list[object]:
    return [torch.arange(-6.0, 6.0).reshape(6, 2)]
