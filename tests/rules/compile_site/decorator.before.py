import functools

import torch
from torch import compile as jit


@torch.compile  # GM904
def first(x: torch.Tensor) -> torch.Tensor:
    return torch.unique(x)


@jit()  # GM904
def second(x: torch.Tensor) -> list[int]:
    return x.tolist()


@functools.partial(torch.compile, dynamic=True)  # GM904
def third(x: torch.Tensor) -> torch.Tensor:
    return x.repeat_interleave(x)


def forward(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.max().item())


compiled = torch.compile(  # GM904
    forward,
    dynamic=True  # always
)


def inputs() -> list[torch.Tensor]:
    return [torch.tensor([1, 3, 1]), torch.tensor([2, 2, 5]), torch.tensor([0, 0, 0]), torch.tensor([1, 3, 1])]
