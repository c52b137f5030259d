"""Work that does nothing, without gradients: it would give a tensor that requires none, or change one that one needs."""

import torch


def replaced(x: torch.Tensor) -> torch.Tensor:
    y = x * 2.0
    mask = y < 0
    with torch.no_grad():
        if mask.any():  # GM101
            y = y.masked_fill(mask, 0.0)
    return y


def stored(x: torch.Tensor) -> torch.Tensor:
    y = x.exp()
    mask = y < 0
    with torch.no_grad():
        if mask.any():  # GM101
            y[mask] = 0.0
    return y


def forward(x: torch.Tensor) -> torch.Tensor:
    return replaced(x) + stored(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0], requires_grad=True), torch.tensor([-0.5, -2.0], requires_grad=True)]
