"""Refused: what is unpacked from a tuple, or comes out of one in a loop, is changed in place; only a tuple is not."""

import torch


def unpacked(x: torch.Tensor) -> torch.Tensor:
    y = x
    if x.sum() > 0:  # GM101
        y = x * 2
    z, n = (y, 1)
    z += n
    return x


def looped(x: torch.Tensor) -> torch.Tensor:
    y = x
    if x.sum() > 0:  # GM101
        y = x * 2
    for each in (y, x * 3):
        each += 1
    return x


compiled = torch.compile(unpacked), torch.compile(looped)


def forward(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return unpacked(x), looped(x)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
