"""Refused: a counter that is used afterwards, a list, a gradient that may be NaN."""

import torch


def counted(x: torch.Tensor) -> torch.Tensor:
    for i in range(3):
        x = x * 0.5
        if x.sum() < 1:  # GM101
            break
    return x * i


def listed(x: torch.Tensor) -> torch.Tensor:
    found = []
    for _ in range(3):
        found.append(x)
        if x.sum() < 1:  # GM101
            break
    return torch.stack(found).mean(0)


def rooted(x: torch.Tensor) -> torch.Tensor:
    for _ in range(3):
        x = x / x.std()
        if x.sum() < 1:  # GM101
            break
    return x


def too_early(x: torch.Tensor) -> torch.Tensor:
    """Where the turn is left, the root is not used, and its gradient would be NaN times zero."""
    for _ in range(3):
        root = x.sqrt()
        if root.sum() < 1:  # GM101
            break
        x = x + root
    return x


def forward(x: torch.Tensor) -> torch.Tensor:
    return counted(x) + listed(x) + rooted(x) + too_early(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.arange(3.0)]
