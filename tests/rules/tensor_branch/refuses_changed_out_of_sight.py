"""Refused: the tensor is changed in place later by what is not called by its name, and the caller's must see it."""

import functools
import operator

import torch
import torch.nn.functional as F
from torch import nn


def bump(x: torch.Tensor) -> torch.Tensor:
    return x.add_(1)


class Bump(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.add_(1)


class Bumping:
    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x.add_(1)


class Chain(nn.Sequential):
    def __init__(self) -> None:
        super().__init__(nn.Identity(), nn.Hardtanh(-9, 0.1, inplace=True))


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = nn.Sequential(nn.Identity(), Bump())
        self.told = nn.Sequential(nn.Flatten(0), nn.Hardtanh(-9, 0.1, True))
        self.steps = nn.ModuleList()
        self.steps.append(nn.Hardtanh(-9, 0.1, inplace=True))
        act = nn.LeakyReLU(0.1, True)
        self.acts = nn.ModuleDict({"act": act})
        self.own = Chain()
        self.bumping = Bumping()

    @staticmethod
    def step(x: torch.Tensor) -> torch.Tensor:
        return x.add_(1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r = x.unbind()
        return (
            self.by_name(a, b, c), self.as_value(d, e, f), self.passed(g, h, i), self.modules(j, k, l),
            self.others(m, n, o), self.views(p, q, r),
        )  # fmt: skip

    def by_name(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        getattr(x, "add_")(1)
        if y.sum() > 0:  # GM101
            y = y * 2
        operator.iadd(y, 1)
        if z.sum() > 0:  # GM101
            z = z * 2
        type(self).step(z)
        return x + y + z

    def as_value(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        add = x.add_
        add(1)
        if y.sum() > 0:  # GM101
            y = y * 2
        relu = F.relu_
        relu(y)
        if z.sum() > 0:  # GM101
            z = z * 2
        functools.partial(z.mul_, 3)()
        return x + y + z

    def passed(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        list(map(lambda each: each.add_(1), [x]))
        if y.sum() > 0:  # GM101
            y = y * 2
        list(map(bump, [y]))
        if z.sum() > 0:  # GM101
            z = z * 2
        bump(*[z])
        return x + y + z

    def modules(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        self.chain(x)
        self.told(x)
        if y.sum() > 0:  # GM101
            y = y * 2
        for each in self.steps:
            each(y)
        if z.sum() > 0:  # GM101
            z = z * 2
        self.acts["act"](z)
        return x + y + z

    def others(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        self.own(x)
        if y.sum() > 0:  # GM101
            y = y * 2
        self.bumping(y)
        if z.sum() > 0:  # GM101
            z = z * 2

        def change(each: torch.Tensor = z) -> None:
            each.add_(1)

        change()
        return x + y + z

    def views(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        torch.flatten(x).add_(1)
        if y.sum() > 0:  # GM101
            y = y * 2
        torch.atleast_1d(y)[0] = 9
        if z.sum() > 0:  # GM101
            z = z * 2
        list(map(torch.relu_, [z]))
        return x + y + z


forward = Model


def inputs() -> list[object]:
    return [torch.arange(-18.0, 18.0).reshape(18, 2)]
