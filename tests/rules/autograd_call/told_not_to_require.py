"""A tensor that is made here requires no gradient, or is no leaf, so that turning it off changes nothing or raises."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    rows = torch.linspace(-1.0, 1.0, 3).view(1, 3).expand(2, 3)
    grid = torch.cat([rows, rows], 1)
    return x + grid.requires_grad_(False).sum() + torch.ones(3).requires_grad_(False)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0, requires_grad=True)]
