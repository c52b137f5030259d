"""What a loop or a branch sets, and a function inside reads at any time."""

from collections.abc import Callable

import torch


def turns(x: torch.Tensor) -> tuple[torch.Tensor, Callable[[], int]]:
    def at() -> int:
        return i

    for i in range(4):
        if x.sum() > 10:  # GM101
            break
        x = x * 2
    return x, at


def tilted(x: torch.Tensor, tilt: torch.Tensor) -> tuple[torch.Tensor, Callable[[], torch.Tensor]]:
    def by() -> torch.Tensor:
        return angle

    if (tilt[..., 2] != 0).any() or (tilt[..., 3] != 0).any():  # GM101
        angle = tilt[..., 2:3].cos()
        angle = angle + tilt[..., 3:4].sin() * tilt[..., 2].sum() * tilt[..., 3].sum()
        x = x * angle
    return x, by


def forward(x: torch.Tensor, tilt: torch.Tensor) -> torch.Tensor:
    return turns(x)[0] + tilted(x, tilt)[0]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.ones(2, 3)
    return [(x, torch.zeros(2, 4)), (-x, torch.full((2, 4), 0.5))]
