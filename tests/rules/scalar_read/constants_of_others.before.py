"""What another module holds may be something else at a later call, but not once compiled code has read it."""

import math
import sys

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    steps = torch.linspace(0, math.pi, sys.version_info.major).tolist()  # GM201
    return x * steps[1]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3), torch.zeros(2, 3)]
