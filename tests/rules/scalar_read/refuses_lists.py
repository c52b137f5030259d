"""Not fixed: a number of the list must be one of Python's."""

import torch


def forward(x: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
    for size in sizes.tolist():  # GM201
        x = x * size + x[:size].sum()
    for start in sizes.tolist():  # GM201
        x = x + start
    start = 1.0
    numbers = x.tolist()  # GM201
    x = x * numbers[0] + len(numbers)
    first, last = sizes.tolist()  # GM201
    x = x * first + torch.ones(last).sum()
    return x * max((x > 1).tolist()) * start  # GM201


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(4), torch.tensor([2, 3]))]
