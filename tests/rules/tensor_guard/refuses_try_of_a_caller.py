"""Refused: a caller catches the exception, also by way of another function or module."""

import torch
from torch import nn


def positive(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():  # GM105
        raise ValueError("negative")
    return x + 1


def checked(x: torch.Tensor) -> torch.Tensor:
    return positive(x) * 2


class Small(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 7:  # GM105
            raise RuntimeError("too much")
        return x


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.small = Small()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        try:
            return self.small(x)
        except RuntimeError:
            return x * 0


def forward(x: torch.Tensor) -> torch.Tensor:
    try:
        y = checked(x)
    except ValueError:
        y = x - 1
    return model(y)


model = Model()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3), torch.full((3,), 9.0), torch.full((3,), 3.0)]
