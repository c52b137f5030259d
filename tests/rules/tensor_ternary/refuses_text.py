"""Refused: a tensor holds no text."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    how = "relu" if x.sum() > 0 else "tanh"  # GM102
    return torch.relu(x) if how == "relu" else torch.tanh(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
