import warnings

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling() and (x < 0).any():
        warnings.warn("negative", stacklevel=2)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
