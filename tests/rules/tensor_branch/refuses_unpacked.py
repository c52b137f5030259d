"""What is unpacked in a branch stays where it may raise, draws random numbers, or is changed in place later."""

import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
    if x.sum() > 0:  # GM101
        x, y = x.tensor_split(2, -1)
    low, high = x, y
    if x.sum() > 1:  # GM101
        low, high = torch.rand_like(x), y
    a, b = x, y
    if x.sum() > 2:  # GM101
        a, b = b, a
    a.add_(1)
    return [x, y, low, high, a, b]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.ones(4)), (-torch.ones(4), torch.ones(4))]
