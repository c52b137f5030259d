"""Refused: what is compared is a tensor or a number, as the way there or the caller has it."""

import torch


def scaled(x: torch.Tensor, by: float | torch.Tensor = 1.0) -> torch.Tensor:
    if by > 0:  # GM101
        x = x * 2
    if not by == 1:  # GM101
        x = x + 1
    large = by > 3
    if large:  # GM101
        x = x + 2
    y = x.sum()
    if x.sum() > 5:  # GM101
        y = by * 2
    if sum(x > 0) != len(x):  # GM101
        x = x + 3
    return x + y


def forward(x: torch.Tensor, flag: bool = True) -> torch.Tensor:
    total = x.sum() if flag else 2.0
    if total > 0:  # GM101
        x = x * 2
    for each in (x.sum(), 3, x.max()):
        if each > 0:  # GM101
            x = x + 1
    return scaled(x, total) + scaled(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2), (torch.ones(2), False), -torch.ones(2)]
