"""Refused: how many rows a mask picks depends on data, and a number read from the graph picks one row by Python."""

import torch


def masked(x: torch.Tensor, keep) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        x = x[keep] * 2
    return torch.where(keep.any(), x.sum(), x.mean())


def largest(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        x = x * x[x.argmax()]
    return x


def forward(x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
    return masked(x, keep) + largest(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, 2.0]), torch.tensor([True, False])), (-torch.ones(2), torch.tensor([False, True]))]
