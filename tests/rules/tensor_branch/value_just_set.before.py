"""A branch uses a value that it has set itself: the values are selected in the same order."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.mean() > 0:  # GM101
        y = x.relu()
        z = y + 1
    else:
        y = x.abs() * 0.5
        z = y * y
    w = x * 2.0
    if x.sum() > 2:  # GM101
        w = z + 1.0
        z = w * 3.0
    return y * z + w


compiled = torch.compile(forward)


def inputs() -> list[object]:
    values = ([1.0, 2.0, -0.5], [-1.0, 0.5, -3.0], [0.25, -0.125, 0.5], [1.0, 2.0, -0.5])
    return [torch.tensor(each, requires_grad=True) for each in values]
