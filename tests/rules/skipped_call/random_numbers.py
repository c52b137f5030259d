import random

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * random.random()  # GM401


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
