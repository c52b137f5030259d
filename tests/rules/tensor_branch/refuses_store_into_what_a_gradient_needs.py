"""Refused: the gradient of `tanh` needs its result as it was, so a store that runs always would raise in `backward`."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x.tanh()
    mask = y < 0
    if mask.any():  # GM101
        y[mask] = 0.0
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0])]
