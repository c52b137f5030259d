"""Refused: the answer is more than a decision somewhere, or the function is compiled by itself."""

import torch


def counted(x: torch.Tensor) -> bool:
    return bool((x > 0).any())  # GM104


def handed(x: torch.Tensor) -> bool:
    return bool((x > 1).any())  # GM104


@torch.compile
def alone(x: torch.Tensor) -> bool:
    return bool((x > 2).any())  # GM104


def forward(x: torch.Tensor) -> list[object]:
    functions = [handed]
    if handed(x):
        x = x + 1
    return [x, counted(x), functions[0](x), alone(x)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2)]
