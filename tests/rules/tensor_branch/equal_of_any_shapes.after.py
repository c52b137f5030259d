"""Tensors of different shapes are not equal: Python knows that, and the graph need not compare them."""

import torch


def cached(x: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    y = x * 2
    equal = (x == last).all() if x.shape == last.shape else x.new_zeros((), dtype=torch.bool)
    y = torch.where(equal, x + 1, y)
    return y


def either(x: torch.Tensor, last: torch.Tensor, train: bool = True) -> torch.Tensor:
    if train:
        equal = (x == last[:2]).all() if x.shape == last[:2].shape else x.new_zeros((), dtype=torch.bool)
        return torch.where(~equal & (x.sum() > 0), x * 3, x - 1)
    return x - 1


def forward(x: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    return cached(x, last) * either(x, last)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, nan = torch.ones(2), torch.tensor([1.0, float("nan")])
    return [(x, x), (x, torch.zeros(2)), (x, torch.ones(3)), (x, torch.ones(1)), (nan, nan), (x, torch.ones(1, 2))]
