import multiprocessing
import os

import torch


@torch.compiler.assume_constant_result
def _cpu_count():
    return multiprocessing.cpu_count()


@torch.compiler.assume_constant_result
def _getppid():
    return os.getppid()


def first(x: torch.Tensor, count: int = -1) -> torch.Tensor:
    if count < 0:
        count = _cpu_count()
    return x * count


def second(x: torch.Tensor) -> torch.Tensor:
    y = first(x) * _cpu_count()
    return y + _getppid()


def forward(x: torch.Tensor) -> torch.Tensor:
    return second(x) + _getppid()


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.ones(2),), (torch.zeros(3),)]
