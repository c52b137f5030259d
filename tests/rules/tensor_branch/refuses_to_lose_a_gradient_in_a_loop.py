"""Refused: under `no_grad`, a loop that ends in its first turn gives the input, with its gradient."""

import torch


@torch.no_grad()
def forward(x: torch.Tensor) -> torch.Tensor:
    y = x
    for _ in range(3):
        if y.sum() > 10:  # GM101
            break
        y = y * 2
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.full((3,), 9.0, requires_grad=True), torch.ones(3, requires_grad=True)]
