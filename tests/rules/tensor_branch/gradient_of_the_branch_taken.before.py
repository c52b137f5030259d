"""The gradient of the square root is infinite at zero, where the branch keeps it out: one side alone may run."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.min() > 0:  # GM101
        y = x.sqrt()
    else:
        y = x * 2.0
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
