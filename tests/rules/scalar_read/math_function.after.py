import math

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x * x.sum().detach().sqrt()
    x = x * x.sum().detach().round(decimals=1)
    return x / x.abs().max().detach().exp()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
