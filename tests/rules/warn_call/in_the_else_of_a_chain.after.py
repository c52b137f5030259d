import warnings

import torch


def forward(x: torch.Tensor, kind: str = "c") -> torch.Tensor:
    if kind == "a":
        x = x + 1
    elif kind == "b":
        x = x + 2
    else:
        if not torch.compiler.is_compiling():
            warnings.warn(f"unknown {kind}", stacklevel=2)
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
