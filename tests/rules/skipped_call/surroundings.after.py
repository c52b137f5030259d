import os

import torch


@torch.compiler.assume_constant_result
def _exists_11():
    return os.path.exists("/")


def _exists() -> bool:
    return True


def forward(x: torch.Tensor) -> torch.Tensor:
    if _exists_11():
        x = x * 2
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
