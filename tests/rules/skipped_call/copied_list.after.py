import copy

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    sizes = [1, 2]
    return x + sizes.copy()[0]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]

