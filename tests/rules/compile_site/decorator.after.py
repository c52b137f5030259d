import functools

import torch
from torch import compile as jit


@torch.compile(fullgraph=True)
def first(x: torch.Tensor) -> torch.Tensor:
    return torch.unique(x)


@jit(fullgraph=True)
def second(x: torch.Tensor) -> list[int]:
    return x.tolist()


@functools.partial(torch.compile, dynamic=True, fullgraph=True)
def third(x: torch.Tensor) -> torch.Tensor:
    return x.repeat_interleave(x)


def forward(x: torch.Tensor) -> torch.Tensor:
    return torch.arange(x.max().item())


compiled = torch.compile(
    forward,
    dynamic=True,  # always
    fullgraph=True
)


def inputs() -> list[torch.Tensor]:
    return [torch.tensor([1, 3, 1]), torch.tensor([2, 2, 5]), torch.tensor([0, 0, 0]), torch.tensor([1, 3, 1])]
