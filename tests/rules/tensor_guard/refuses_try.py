"""Refused: the exception is caught here."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    try:
        if (x < 0).any():  # GM105
            raise ValueError("negative")
        x = x + 1
    except ValueError:
        x = x - 1
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
