"""Refused: the value of the call is used."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    done = print("a")  # GM301
    return x + 1, done


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
