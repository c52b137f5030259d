import copy

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x + copy.copy([1, 2])[0]  # GM401


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
