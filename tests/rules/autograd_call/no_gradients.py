"""Not flagged: switching gradients off is traced."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    with torch.no_grad():
        y = x * 2
    return y.detach() + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
