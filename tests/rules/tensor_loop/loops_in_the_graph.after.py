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
        # by half
        def unfinished(y):
            return y.norm() > 1

        def step(y):
            return (y * self.factor,)

        if torch.compiler.is_compiling():
            started = unfinished(y)
            last = torch.while_loop(unfinished, step, (y.clone(),))
            y = torch.where(started, last[0], y)
        else:
            while unfinished(y):
                (y,) = step(y)
        w = y

        def unfinished(w, y):
            return (w + x).sum() < 4

        def step(w, y):
            before = w
            w = w.abs() + 1
            y = before
            return w, y.clone()

        if torch.compiler.is_compiling():
            started = unfinished(w, y)
            last = torch.while_loop(unfinished, step, (w.clone(), y.clone()))
            w = torch.where(started, last[0], w)
            y = torch.where(started, last[1], y)
        else:
            while unfinished(w, y):
                w, y = step(w, y)
        return x + y + w


forward = Net


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(3) * scale).requires_grad_() for scale in (0.1, 3.0, 100.0, 0.1, 0.0)]
