"""Turns that are cut short, loops that end in several ways, functions that return from inside of a loop."""

import torch


def skip(x: torch.Tensor) -> torch.Tensor:
    y = x * 0
    for i in range(3):
        x = x / 2
        current = ~(x.norm() < 1)
        y = torch.where(current, y + x * i, y)
    return y


def first_small(x: torch.Tensor) -> torch.Tensor:
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for _ in range(3):
        x = torch.where(active, x / 2, x)
        active = active & ~(x.norm() < 1)
    y = x * 3
    return torch.where(active, y - 1, x + 10)


def find(x: torch.Tensor, default: torch.Tensor) -> torch.Tensor:
    result = default
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for row in x:
        condition = active & (row.sum() > 0)
        result = torch.where(condition, row * 2, result)
        active = active & ~condition
    return result


def several(x: torch.Tensor) -> torch.Tensor:
    total = 0.0
    turns = 0
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for row in x:
        turns += 1
        total = torch.where(active, total + row.sum() * turns, total)
        current = active & ~(row.norm() > 3)
        # much
        condition = current & (total > 4).reshape(())
        x = torch.where(condition, x * 2, x)
        active = active & ~condition
        current = current & active
        shifted = row * 2
        condition = current & ((x + shifted).sum() < -1)
        x = torch.where(condition, x + shifted, x)
        active = active & ~condition
        current = current & active
        x = torch.where(current, x + 1, x)
    return x + total


def named_inside(x: torch.Tensor) -> torch.Tensor:
    y = x.abs()
    active = torch.ones((), dtype=torch.bool, device=y.device)
    for _ in range(3):
        near = y * 0.5
        active = active & ~(near.sum() < 1)
        y = torch.where(active, y - near * 0.25, y)
    return near


def sums(x: torch.Tensor) -> torch.Tensor:
    found = []
    total = torch.zeros_like(x)
    active = torch.ones((), dtype=torch.bool, device=x.device)
    for _ in range(4):
        x = torch.where(active, x / 2, x)
        found.append(torch.where(active, x, 0))
        total = torch.where(active, total + x, total)
        active = active & ~(x.norm() < 1)
    return torch.stack(found).sum(0) + total


def forward(x: torch.Tensor) -> torch.Tensor:
    first = skip(x) + first_small(x) + find(x, x.mean(0))
    return first + several(x) + named_inside(x) + sums(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    torch.manual_seed(0)
    base = torch.randn(4, 3)
    given = [base, -base, base.abs() * 3, base, base * 0.1, -base.abs(), base * 20, torch.zeros(4, 3), base.half()]
    return [each.clone().requires_grad_() for each in given]
