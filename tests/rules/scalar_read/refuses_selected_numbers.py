"""Refused: as many tensors as data says cannot be unbound in a graph."""

import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
    found = []
    for row in (x > 0).nonzero().flatten().tolist():  # GM201
        found.append(y[row] * 2)
    numbers = x[x > 0]
    for number in numbers.tolist():  # GM201
        found.append(y * number)
    return found


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(-2.0, 2.0), torch.ones(4, 2))]
