"""A tensor that the function made itself, but that others have by now, and that is changed in place later."""

import torch


def by_another_name(x: torch.Tensor) -> torch.Tensor:
    y = x + 1.0
    other = y
    if x.sum() > 0:  # GM101
        y = x * 0.5
    other.mul_(2)
    return y * 2


def in_a_list(x: torch.Tensor, kept: list[torch.Tensor]) -> torch.Tensor:
    y = x + 1.0
    kept.append(y)
    if x.sum() > 0:  # GM101
        y = x * 0.5
    y.mul_(2)
    return y * 2


def forward(x: torch.Tensor) -> torch.Tensor:
    kept: list[torch.Tensor] = []
    return by_another_name(x) + in_a_list(x, kept) + kept[0]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0]), torch.tensor([-0.5, -2.0])]
