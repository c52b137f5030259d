"""Numbers of Python's generator: what compares them or adds them to a tensor is traced, all else asks for the number."""

import random
from random import randrange

import torch

generator = random.Random(0)


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x * random.randint(1, 1) + abs(random.randint(2, 2)) * x
    turns = randrange(1, 2) + 1  # GM401
    for _ in range(turns):
        x = x + turns
    start, end = generator.randint(0, 0), 2
    x = x[start:end]  # GM401
    width = x.shape[0] + start
    scale = random.uniform(1.0, 1.0)
    half = int(scale)  # GM401
    x = x + scale * 2 - half
    x = x.roll(random.randint(1, 1))  # GM401
    return x + width


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(4.0)]
