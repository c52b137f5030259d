"""Refused: whether gradients are off depends on a flag, or on a statement before; `x` passed on keeps its own."""

import torch


def asked(x: torch.Tensor, train: bool) -> torch.Tensor:
    y = x
    with torch.set_grad_enabled(train):
        if x.sum() > 0:  # GM101
            y = x * 2
    return y


def stated(x: torch.Tensor) -> torch.Tensor:
    torch.set_grad_enabled(False)
    y = x
    if x.sum() > 0:  # GM101
        y = x * 2
    torch.set_grad_enabled(True)
    return y


def forward(x: torch.Tensor) -> torch.Tensor:
    return asked(x, False) + stated(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3, requires_grad=True), -torch.ones(3, requires_grad=True)]
