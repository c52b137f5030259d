"""A number given before stays where it is used as a number, or where the branch gives a tensor with dimensions."""

import torch


def forward(p: torch.Tensor) -> list[object]:
    norm = p.norm()
    scale = 1.0
    if norm > 2.0:  # GM101
        scale = norm * 0.5
    rows = 1.0
    if norm > 3.0:  # GM101
        rows = p * 0.5
    count = 0
    if norm > 4.0:  # GM101
        count = (p > 0).sum() + 1
    flag = True
    if norm > 5.0:  # GM101
        flag = norm / 2
    return [p * scale, scale, p * rows, p * count, p * flag]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([1.0, 2.0, 3.0]), torch.zeros(3)]
