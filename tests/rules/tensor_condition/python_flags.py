"""Not flagged: the operands are known while tracing."""

import torch


def forward(x: torch.Tensor, a: bool = True, b: int = 0) -> torch.Tensor:
    both = a and b > 0
    return x * 2 if both else x * 3


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2)]
