"""Refused: what the number cannot be is told by an error, which somebody catches."""

import math

import torch


def place(x: torch.Tensor, t: torch.Tensor) -> int:
    return (x == t).nonzero()[0].item()  # GM201


def scale(x: torch.Tensor) -> torch.Tensor:
    try:
        return x * math.log(x.sum())  # GM201
    except ValueError:
        return x * 0


def whole(x: torch.Tensor) -> torch.Tensor:
    try:
        return x * int(x.max())  # GM201
    except (ValueError, OverflowError):
        return x + 1


def forward(x: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    try:
        y = x[place(x, t)]
    except IndexError:
        y = x[0] * 5
    return y + scale(x) + whole(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), torch.tensor(1.0)), (torch.tensor([-1.0, float("inf")]), torch.tensor(3.0))]
