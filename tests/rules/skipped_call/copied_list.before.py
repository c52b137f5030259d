import copy

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    sizes = [1, 2]
    return x + copy.copy(sizes)[0]  # GM401


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]

