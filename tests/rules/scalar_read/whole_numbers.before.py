import math

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    low = x - math.floor(x.mean().item())  # GM201
    high = x * math.ceil(float(x.max()))  # GM201
    cut = x + math.trunc(x.min().item())  # GM201
    even = x / (round(x.sum().item()) + 3)  # GM201
    count = round(float(x.std()))  # GM201
    return low, high, cut, even, x * count


compiled = torch.compile(forward)


def inputs() -> list[object]:
    numbers = [[0.5, 2.5, -1.25], [1.5, 1.5, 2.0], [-0.5, 0.25, -2.75]]
    return [torch.tensor(each, requires_grad=True) for each in numbers]
