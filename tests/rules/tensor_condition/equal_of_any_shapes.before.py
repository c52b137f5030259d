# all rules
"""An answer about tensors of any shapes: Python compares the shapes."""

import torch


def forward(x: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    same = (x > 0).all() and torch.equal(x, last)  # GM104
    if same:
        x = x * 2
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.ones(2)
    return [(x, x), (x, torch.zeros(2)), (x, torch.ones(3)), (x, torch.ones(1)), (-x, -x)]
