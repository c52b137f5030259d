import time

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    start = time.time()  # GM401
    return x * start


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
