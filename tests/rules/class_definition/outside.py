import collections

import torch


def make():
    class Scale:
        factor = 2

    return Scale


Made = make()


def forward(x: torch.Tensor) -> torch.Tensor:
    Pair = collections.namedtuple("Pair", "a b")
    return Pair(x, 1).a * Made.factor


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
