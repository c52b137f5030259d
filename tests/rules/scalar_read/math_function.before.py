import math

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x * math.sqrt(x.sum())  # GM201
    x = x * round(x.sum().item(), 1)  # GM201
    return x / math.exp(x.abs().max().item())  # GM201


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
