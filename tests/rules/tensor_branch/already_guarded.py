"""Not flagged: Dynamo does not get there."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling() and x.isnan().any():
        print("not a number")
    return x * 2


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3)]
