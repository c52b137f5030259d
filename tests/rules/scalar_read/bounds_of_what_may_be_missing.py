"""A tensor that may be None elsewhere is one where it is cut."""

from itertools import zip_longest

import torch


def forward(x: torch.Tensor, lens: torch.Tensor) -> torch.Tensor:
    total = x.sum()
    for row, length in zip_longest(x, lens):
        if length is not None:
            total = total + row[:length].sum()  # GM201
    return total


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(4.0).reshape(2, 2), torch.tensor([1, 2]))]
