"""Numbers by which Python puts something in order."""

import torch


def largest(xs: list[torch.Tensor]) -> torch.Tensor:
    best = max(range(len(xs)), key=lambda i: xs[i].item())  # GM201
    return xs[best] * 2


def ordered(xs: list[torch.Tensor]) -> torch.Tensor:
    order = sorted(range(len(xs)), key=lambda i: float(xs[i].sum()))  # GM201
    return xs[order[0]] * 3


def longest(xs: list[torch.Tensor]) -> torch.Tensor:
    return max(xs, key=lambda x: x.dim()) + sorted(xs, key=len)[0]


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    numbers = list(x.unbind())
    return largest(numbers), ordered(numbers), longest([x, x * 2])


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, 3.0, 2.0]),)]
