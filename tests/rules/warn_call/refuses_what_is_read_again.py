"""Refused: the function looks at the warnings that it makes."""

import warnings

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    with warnings.catch_warnings(record=True) as seen:
        warnings.warn("small", stacklevel=2)  # GM303
    try:
        warnings.warn("large", stacklevel=2)  # GM303
    except UserWarning:
        x = x + 1
    return x + len(seen)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
