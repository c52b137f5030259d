# all rules
import warnings

import torch


def scaled(x: torch.Tensor) -> torch.Tensor:
    condition = x.sum() > 0
    largest = x.max()
    y = x * 2
    # the other way
    z = x.mean()
    return torch.where(condition, y - largest, x * 0.5 + z)


def either(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    condition = x.max() > 2
    if not torch.compiler.is_compiling() and condition:
        warnings.warn("large")
    small = x.clamp(max=2)
    y = x + 1
    return torch.where(condition, small, y), x


def forward(x: torch.Tensor) -> torch.Tensor:
    a, b = either(x)
    is_true = a.sum() < 0
    condition = a.sum() < 1
    c = a + b
    return torch.where(is_true, a, torch.where(condition, c * 2, scaled(a) + b))


def inputs() -> list[torch.Tensor]:
    rows = [[1.0, 0.5], [4.0, 2.5], [-1.5, -7.0], [-9.0, 1.0], [-1.0, 0.5], [1.0, 0.5]]
    return [torch.tensor(row, requires_grad=True) for row in rows]


compiled = torch.compile(forward)
