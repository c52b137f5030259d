"""Loops whose arithmetic would give NaN for a gradient in turns that no longer count."""

import torch
import torch.nn.functional as F


def root(x: torch.Tensor) -> torch.Tensor:
    """A multiple root: both values are 0 once it is found."""
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for _ in range(4):
        value, slope = x * x, 2 * x
        active = active & ~(value.abs().max() < 1e-3)
        x = torch.where(active, x - value / torch.where(active, slope, 1), x)
    return x


def scaled(cost: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    kernel = torch.exp(-cost)
    u = torch.ones_like(a)
    v = torch.ones_like(b)
    active = torch.ones((), dtype=torch.bool, device=u.device)
    for _ in range(5):
        before = u
        u = torch.where(active, a / torch.where(active, kernel @ v, 1), u)
        v = torch.where(active, b / torch.where(active, kernel.t() @ u, 1), v)
        active = active & ~((u - before).abs().max() < 0.05)
    return u[:, None] * kernel * v


def shrunk(x: torch.Tensor) -> torch.Tensor:
    total = x * 0
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for _ in range(4):
        active = active & ~(x.abs().sum() < 0.1)
        share = (
            torch.where(active, x.abs() / torch.where(active, x.abs().sum(), 1), 1).sqrt()
            * torch.where(active, x, 1).norm()
        )
        total = torch.where(active, total + (share / torch.where(active, x.abs() + share, 1)), total)
        x = torch.where(active, torch.relu(x - 0.5), x)
    return total


def logged(x: torch.Tensor) -> torch.Tensor:
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for _ in range(3):
        active = active & ~(x.min() <= 0)
        rest = torch.where(active, torch.log(torch.where(active, x, 1)), 1) ** 2.0
        first, second = torch.where(active, rest, 1).exp(), 3
        x = torch.where(active, x - first * second, x)
    return torch.where(active, x * 2, x)


def skipped(x: torch.Tensor) -> torch.Tensor:
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for i in range(4):
        y = x - i
        current = active & ~(y == 0).any()
        x = torch.where(current, x + torch.where(current, y, 1).reciprocal() * 2, x)
        active = active & ~(current & (x.sum() > 20))
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
