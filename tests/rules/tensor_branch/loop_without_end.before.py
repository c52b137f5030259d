"""`while True` that a tensor ends: in the graph it is an operator; with a bound, every turn runs."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        z = x + 1.0
        while True:
            d = z * 0.5
            if d.norm() < 1:  # GM101
                break
            total = d.sum()
            z = z - self.linear(d).tanh() * 0.125 - total * 0.0625
            z = z * 0.875
        y = x * 8
        left = 3
        while left > 0:
            left -= 1
            if y.sum() < 1:  # GM101
                break
            y = y * 0.5 - left
        return d + y + z


forward = Net


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(3) * scale).requires_grad_() for scale in (0.1, 3.0, 100.0, 0.1, 0.0)]
