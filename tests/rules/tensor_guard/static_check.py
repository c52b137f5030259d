"""Not flagged: the shape is known while tracing."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.dim() != 1:
        raise ValueError(f"expected one dimension, got {x.dim()}")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2)]
