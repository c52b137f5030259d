"""Refused: `torch.where` reads both names, and one may have no value where the other is taken."""

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return returned(x), by_shape(x)


def returned(x: torch.Tensor) -> torch.Tensor:
    if x.dim() == 1:
        y = x + 1
    if x.sum() > 0:  # GM101
        return y
    return x


def by_shape(x: torch.Tensor) -> torch.Tensor:
    if x.dim() == 1:
        y = x + 1
    else:
        z = x * 2
    if x.sum() > 0:  # GM101
        x = y * 2
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
