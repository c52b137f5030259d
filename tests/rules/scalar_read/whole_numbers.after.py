import math

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    low = x - x.mean().floor().to(torch.int64)
    high = x * x.max().ceil().to(torch.int64)
    cut = x + x.min().trunc().to(torch.int64)
    even = x / (x.sum().round().to(torch.int64) + 3)
    count = x.std().round().to(torch.int64)
    return low, high, cut, even, x * count


compiled = torch.compile(forward)


def inputs() -> list[object]:
    numbers = [[0.5, 2.5, -1.25], [1.5, 1.5, 2.0], [-0.5, 0.25, -2.75]]
    return [torch.tensor(each, requires_grad=True) for each in numbers]
