"""Loops without a bound: in the graph they are an operator, in eager mode Python's loops as before."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("factor", torch.full((3,), 0.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        # shrink
        while y.norm() > 1:  # GM103
            y = y * self.factor  # by half
        w = y
        while (w + x).sum().item() < 4:  # GM103
            before = w
            w = w.abs() + 1
            y = before
        return x + y + w


forward = Net


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(3) * scale).requires_grad_() for scale in (0.1, 3.0, 100.0, 0.1, 0.0)]
