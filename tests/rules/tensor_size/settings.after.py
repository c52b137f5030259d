"""Tensors for numbers that are no sizes."""

import torch
import torch.nn.functional as F


def filled(x: torch.Tensor) -> torch.Tensor:
    return x + torch.empty_like(x).fill_(x.detach().mean())


def new(x: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
    values = shares.detach().sigmoid().mean()
    return x.new_empty((2, 3), dtype=torch.float64).fill_(values)


def between(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    top = x.detach().abs().mean()
    return x.clamp(min=0).clamp(max=top), x.clamp(max=top), x.clamp(-top, top)


def above(x: torch.Tensor) -> torch.Tensor:
    return (x * 2).clip(min=-x.detach().std()).clip(max=1.0)


def whole(x: torch.Tensor) -> torch.Tensor:
    return (x.long() + 1).clamp(min=x.detach().exp().sum() * 0).clamp(max=2)


def forward(x: torch.Tensor) -> tuple[object, ...]:
    return filled(x), new(x, x), between(x), above(x), whole(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor(row, requires_grad=True) for row in ([0.5, -1.5, 3.0], [0.0, float("nan"), 1.0], [-2.0, 4.0, 1.0])]
