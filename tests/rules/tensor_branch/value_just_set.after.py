"""A branch uses a value that it has set itself: the values are selected in the same order."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    condition = x.mean() > 0
    y = torch.where(condition, x.relu(), x.abs() * 0.5)
    z = torch.where(condition, y + 1, y * y)
    w = x * 2.0
    condition = x.sum() > 2
    w = torch.where(condition, z + 1.0, w)
    z = torch.where(condition, w * 3.0, z)
    return y * z + w


compiled = torch.compile(forward)


def inputs() -> list[object]:
    values = ([1.0, 2.0, -0.5], [-1.0, 0.5, -3.0], [0.25, -0.125, 0.5], [1.0, 2.0, -0.5])
    return [torch.tensor(each, requires_grad=True) for each in values]
