"""Turns that are cut short, loops that end in several ways, functions that return from inside of a loop."""

import torch


def skip(x: torch.Tensor) -> torch.Tensor:
    y = x * 0
    for i in range(3):
        x = x / 2
        if x.norm() < 1:  # GM101
            continue
        y = y + x * i
    return y


def first_small(x: torch.Tensor) -> torch.Tensor:
    for _ in range(3):
        x = x / 2
        if x.norm() < 1:  # GM101
            return x + 10
    y = x * 3
    return y - 1


def find(x: torch.Tensor, default: torch.Tensor) -> torch.Tensor:
    for row in x:
        if row.sum() > 0:  # GM101
            return row * 2
    return default


def several(x: torch.Tensor) -> torch.Tensor:
    total = 0.0
    turns = 0
    for row in x:
        turns += 1
        total = total + row.sum() * turns
        if row.norm() > 3:  # GM101
            continue
        if total > 4:  # GM101
            x = x * 2  # much
            break
        shifted = row * 2
        if (x + shifted).sum() < -1:  # GM101
            x = x + shifted
            break
        x = x + 1
    return x + total


def named_inside(x: torch.Tensor) -> torch.Tensor:
    y = x.abs()
    for _ in range(3):
        near = y * 0.5
        if near.sum().item() < 1:  # GM101
            break
        y = y - near * 0.25
    return near


def sums(x: torch.Tensor) -> torch.Tensor:
    found = []
    total = torch.zeros_like(x)
    for _ in range(4):
        x = x / 2
        found.append(x)
        total += x
        if x.norm() < 1:  # GM101
            break
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
