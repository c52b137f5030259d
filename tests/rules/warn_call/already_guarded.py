"""Not flagged: Dynamo does not get there."""

import warnings

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        warnings.warn("slow", stacklevel=2)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
