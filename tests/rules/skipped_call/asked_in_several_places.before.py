import multiprocessing
import os

import torch


def first(x: torch.Tensor, count: int = -1) -> torch.Tensor:
    if count < 0:
        count = multiprocessing.cpu_count()  # GM401
    return x * count


def second(x: torch.Tensor) -> torch.Tensor:
    y = first(x) * multiprocessing.cpu_count()  # GM401
    return y + os.getppid()  # GM401


def forward(x: torch.Tensor) -> torch.Tensor:
    return second(x) + os.getppid()  # GM401


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.ones(2),), (torch.zeros(3),)]
