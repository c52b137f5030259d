"""A root has no gradient at zero, however it is written: only the branch that is taken is computed."""

import torch


def root(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        y = x**0.5
    else:
        y = x * 2
    return y


def whole(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        y = x**2
    else:
        y = x * 2
    return y


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return root(x), whole(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([1.0, 4.0]), torch.tensor([-1.0, -4.0]), torch.tensor([0.0, -1.0])]
