"""A tensor that a called function changes in place, by the name of its parameter, or by another name here."""

import torch
from torch import nn


def bump(t: torch.Tensor) -> None:
    t.add_(1)


def bump_first(named: dict[str, torch.Tensor]) -> None:
    rows = named["first"].view(-1)
    rows[0] = 5.0


def function(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    y = x
    if x.sum() > 0:  # GM101
        y = x * 2
    bump(y)
    return x, y


def in_a_dict(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    y = x
    if x.sum() > 0:  # GM101
        y = x * 2
    named = {"first": y}
    bump_first(named)
    return x, y


def in_a_closure(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    y = x

    def change() -> None:
        y.mul_(3)

    if x.sum() > 0:  # GM101
        y = x * 2
    change()
    return x, y


class Step(nn.Module):
    def forward(self, t: torch.Tensor) -> torch.Tensor:
        t += 1
        return t


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.step = Step()
        self.register_buffer("total", torch.zeros(2))

    def update(self) -> None:
        self.total += 1

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        self.step(y)
        z = self.total
        if x.sum() > 0:  # GM101
            z = x * 2
        self.update()
        w = self.total
        if x.sum() > 0:  # GM101
            w = x * 2
        self.total += 1
        return x, y, z * 1, w * 1


def forward(x: torch.Tensor) -> tuple[object, ...]:
    return function(x * 1), in_a_dict(x * 1), in_a_closure(x * 1), model(x * 1)


model = Model()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2)]
