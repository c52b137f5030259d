# all rules
import warnings

import torch


def scaled(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        largest = x.max()
        y = x * 2
        return y - largest
    else:
        # the other way
        z = x.mean()
        return x * 0.5 + z


def either(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    if x.max() > 2:  # GM101
        warnings.warn("large")
        small = x.clamp(max=2)
        return small, x
    y = x + 1
    return y, x


def forward(x: torch.Tensor) -> torch.Tensor:
    a, b = either(x)
    if a.sum() < 0:  # GM101
        return a
    elif a.sum() < 1:  # GM101
        c = a + b
        return c * 2
    return scaled(a) + b


def inputs() -> list[torch.Tensor]:
    rows = [[1.0, 0.5], [4.0, 2.5], [-1.5, -7.0], [-9.0, 1.0], [-1.0, 0.5], [1.0, 0.5]]
    return [torch.tensor(row, requires_grad=True) for row in rows]


compiled = torch.compile(forward)
