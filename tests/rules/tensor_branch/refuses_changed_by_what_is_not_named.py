"""Refused: special methods, decorated functions and modules in modules change the tensor, which the caller must see."""

import functools

import torch
import torch.nn.functional as F
from torch import nn


def through(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@through
def bump(x: torch.Tensor) -> torch.Tensor:
    return x.add_(1)


class Bump(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.add_(1)


class Begun:
    def __init__(self, x: torch.Tensor) -> None:
        x.add_(1)


class Held:
    def __init__(self, x: torch.Tensor) -> None:
        self.tensor = x

    def __call__(self) -> None:
        self.tensor.add_(1)

    def __enter__(self) -> None:
        self.tensor.add_(1)

    def __exit__(self, *error: object) -> None:
        pass

    def __setitem__(self, key: str, x: torch.Tensor) -> None:
        x.add_(1)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.chain = nn.Sequential(nn.Sequential(nn.Identity()), nn.Sequential(Bump()))
        self.bump, self.same = Bump(), nn.Identity()
        self.act = functools.partial(F.hardtanh, min_val=-99.0, max_val=0.1, inplace=True)
        self.drop = nn.Dropout(0.0)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        a, b, c, d, e, f, g, h, i = x.unbind()
        return self.objects(a, b, c), self.calls(d, e, f), self.modules(g, h, i)

    def objects(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        Begun(x)
        if y.sum() > 0:  # GM101
            y = y * 2
        Held(y)()
        if z.sum() > 0:  # GM101
            z = z * 2
        with Held(z):
            x = x + 1
        return x + y + z

    def calls(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        bump(x)
        if y.sum() > 0:  # GM101
            y = y * 2
        (self.bump if x.dim() else self.same)(y)
        if z.sum() > 0:  # GM101
            z = z * 2
        held = Held(x + 1)
        held["z"] = z
        return x + y + z

    def modules(self, x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * 2
        self.act(x)
        if y.sum() > 0:  # GM101
            y = y * 2
        self.chain(y)
        if z.sum() > 0:  # GM101
            z = z * 2
        self.drop(z).add_(1)
        return x + y + z


forward = Model


def inputs() -> list[object]:
    return [torch.arange(-9.0, 9.0).reshape(9, 2)]
