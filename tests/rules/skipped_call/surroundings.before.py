import os

import torch


def _exists() -> bool:
    return True


def forward(x: torch.Tensor) -> torch.Tensor:
    if os.path.exists("/"):  # GM401
        x = x * 2
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
