import os
import platform
import secrets

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    os.getpid()  # GM401
    secrets.token_hex(2)  # GM401
    platform.system()
    os.path.basename("a/b")
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
