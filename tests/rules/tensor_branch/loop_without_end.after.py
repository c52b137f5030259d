"""`while True` that a tensor ends: in the graph it is an operator; with a bound, every turn runs."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        z = x + 1.0
        d = z * 0.5

        def unfinished(d, z):
            return ~(d.norm() < 1)

        def step(d, z):
            total = d.sum()
            z = z - self.linear(d).tanh() * 0.125 - total * 0.0625
            z = z * 0.875
            d = z * 0.5
            return d, z

        if torch.compiler.is_compiling():
            started = unfinished(d, z)
            last = torch.while_loop(unfinished, step, (d.clone(), z))
            d = torch.where(started, last[0], d)
            z = torch.where(started, last[1], z)
        else:
            while unfinished(d, z):
                d, z = step(d, z)
        y = x * 8
        left = 3
        active = torch.ones((), dtype=torch.bool, device=y.device)
        while left > 0:
            left -= 1
            active = active & ~(y.sum() < 1)
            y = torch.where(active, y * 0.5 - left, y)
        return d + y + z


forward = Net


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(3) * scale).requires_grad_() for scale in (0.1, 3.0, 100.0, 0.1, 0.0)]
