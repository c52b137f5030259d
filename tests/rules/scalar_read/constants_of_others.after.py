"""What another module holds may be something else at a later call, but not once compiled code has read it."""

import math
import sys

import torch


@torch.compiler.assume_constant_result
def _steps_10():
    return torch.linspace(0, math.pi, sys.version_info.major).tolist()


def forward(x: torch.Tensor) -> torch.Tensor:
    steps = _steps_10()
    return x * steps[1]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3), torch.zeros(2, 3)]
