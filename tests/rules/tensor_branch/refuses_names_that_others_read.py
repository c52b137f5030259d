"""Names of a branch that its values read before they are changed, or that a function inside reads later."""

from collections.abc import Callable

import torch


def changed_after_use(x: torch.Tensor) -> torch.Tensor:
    if x.mean() > 0:  # GM101
        half = x * 0.5
        y = half + 1.0
        half, extra = half * 2, half
    else:
        y = x * 3.0
    return y


def read_later(x: torch.Tensor) -> tuple[torch.Tensor, Callable[[], torch.Tensor]]:
    def later() -> torch.Tensor:
        return half

    if x.mean() > 0:  # GM101
        half = x * 0.5
        y = half + 1.0
    else:
        y = x * 3.0
    return y, later


def forward(x: torch.Tensor) -> torch.Tensor:
    return changed_after_use(x) + read_later(x)[0]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0], requires_grad=True), torch.tensor([-0.5, -2.0], requires_grad=True)]
