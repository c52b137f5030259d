"""Tensors for numbers that are no sizes."""

import torch
import torch.nn.functional as F


def filled(x: torch.Tensor) -> torch.Tensor:
    return x + torch.full_like(x, x.detach().mean())  # GM202


def new(x: torch.Tensor, shares: torch.Tensor) -> torch.Tensor:
    values = shares.detach().sigmoid().mean()
    return x.new_full((2, 3), fill_value=values, dtype=torch.float64)  # GM202


def between(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    top = x.detach().abs().mean()
    return x.clamp(0, top), x.clamp(max=top), x.clamp(-top, top)  # GM202


def above(x: torch.Tensor) -> torch.Tensor:
    return torch.clip(x * 2, max=1.0, min=-x.detach().std())  # GM202


def whole(x: torch.Tensor) -> torch.Tensor:
    return torch.clamp(x.long() + 1, x.detach().exp().sum() * 0, 2)  # GM202


def forward(x: torch.Tensor) -> tuple[object, ...]:
    return filled(x), new(x, x), between(x), above(x), whole(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor(row, requires_grad=True) for row in ([0.5, -1.5, 3.0], [0.0, float("nan"), 1.0], [-2.0, 4.0, 1.0])]
