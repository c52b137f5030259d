"""A division that rounds down has no gradient: computed always, backward would always fail."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 3.0
    if x.sum() > 0:  # GM101
        y = x // 2
    z = x * 2.0
    if x.sum() < -1:  # GM101
        z = x.floor_divide(2)
    return y + z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.zeros(3, requires_grad=True), torch.tensor([0.5, -0.75], requires_grad=True)]
