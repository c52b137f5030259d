"""Sums of Python's numbers do not overflow: eight bits are widened first."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    level = x.to(torch.uint8).max().item()  # GM201
    least = x.to(torch.int8).min().item()  # GM201
    return x * (level - 10) + least * 100


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([3.0, 4.0]), torch.tensor([100.0, 2.0])]
