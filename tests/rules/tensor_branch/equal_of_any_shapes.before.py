"""Tensors of different shapes are not equal: Python knows that, and the graph need not compare them."""

import torch


def cached(x: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if torch.equal(x, last):  # GM101
        y = x + 1
    return y


def either(x: torch.Tensor, last: torch.Tensor, train: bool = True) -> torch.Tensor:
    if train and not x.equal(last[:2]) and x.sum() > 0:  # GM101
        return x * 3
    return x - 1


def forward(x: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    return cached(x, last) * either(x, last)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, nan = torch.ones(2), torch.tensor([1.0, float("nan")])
    return [(x, x), (x, torch.zeros(2)), (x, torch.ones(3)), (x, torch.ones(1)), (nan, nan), (x, torch.ones(1, 2))]
