"""The product would be written into a tensor that the gradient of the product needs as it was."""

import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    a = y * 1.5
    if x.sum() > 0:  # GM101
        a.mul_(x)
        a.mul_(y)
    b = y * 2.0
    c = b
    if x.sum() < 0:  # GM101
        b[0] *= x[0]
        b[1] *= x[1]
    return a + b * c


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.ones(3)
    return [(x, x), (-x, x)]
