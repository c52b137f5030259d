# all rules
"""An answer about tensors of any shapes: Python compares the shapes."""

import torch


def forward(x: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    equal = (x == last).all() if x.shape == last.shape else x.new_zeros((), dtype=torch.bool)
    same = (x > 0).all() & equal
    x = torch.where(same, x * 2, x)
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.ones(2)
    return [(x, x), (x, torch.zeros(2)), (x, torch.ones(3)), (x, torch.ones(1)), (-x, -x)]
