import copy

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = copy.deepcopy(x)  # GM401
    return y + copy.copy(x)  # GM401


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
