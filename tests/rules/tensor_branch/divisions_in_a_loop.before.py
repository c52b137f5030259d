"""Loops whose arithmetic would give NaN for a gradient in turns that no longer count."""

import torch
import torch.nn.functional as F


def root(x: torch.Tensor) -> torch.Tensor:
    """A multiple root: both values are 0 once it is found."""
    for _ in range(4):
        value, slope = x * x, 2 * x
        if value.abs().max() < 1e-3:  # GM101
            break
        x = x - value / slope
    return x


def scaled(cost: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    kernel = torch.exp(-cost)
    u = torch.ones_like(a)
    v = torch.ones_like(b)
    for _ in range(5):
        before = u
        u = a / (kernel @ v)
        v = b / (kernel.t() @ u)
        if (u - before).abs().max() < 0.05:  # GM101
            break
    return u[:, None] * kernel * v


def shrunk(x: torch.Tensor) -> torch.Tensor:
    total = x * 0
    for _ in range(4):
        if x.abs().sum() < 0.1:  # GM101
            break
        share = (x.abs() / x.abs().sum()).sqrt() * x.norm()
        total += share / (x.abs() + share)
        x = torch.relu(x - 0.5)
    return total


def logged(x: torch.Tensor) -> torch.Tensor:
    for _ in range(3):
        if x.min() <= 0:  # GM101
            return x
        rest = torch.log(x) ** 2.0
        first, second = rest.exp(), 3
        x = x - first * second
    return x * 2


def skipped(x: torch.Tensor) -> torch.Tensor:
    for i in range(4):
        y = x - i
        if (y == 0).any():  # GM101
            continue
        x = x + y.reciprocal() * 2
        if x.sum() > 20:  # GM101
            break
    return x


def forward(x: torch.Tensor, cost: torch.Tensor, *others: torch.Tensor) -> tuple[torch.Tensor, ...]:
    weights = torch.full_like(x, 1 / 3)
    scales = scaled(cost, weights, x.detach().abs() + 0.1)
    return root(x), scales, shrunk(others[0]), logged(others[1] + 2), skipped(others[2])


compiled = torch.compile(forward)


def inputs() -> list[object]:
    cost = torch.arange(9.0).reshape(3, 3).remainder(4).requires_grad_()
    rows = [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [0.01, 0.02, 0.03], [-1.5, 0.5, 4.0], [float("nan"), 1.0, 0.0]]
    leaves = [[torch.tensor(row, requires_grad=True) for _ in range(4)] for row in rows]
    return [(x, cost, *others) for x, *others in leaves]
