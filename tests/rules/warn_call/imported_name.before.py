from warnings import warn

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    warn("slow")  # GM303
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
