"""Refused: turns that do more than compute, numbers that Python needs, gradients that may be NaN, changed shapes."""

import torch


def numbered(x: torch.Tensor) -> tuple[torch.Tensor, int]:
    n = 0
    while x.norm() > 1:  # GM103
        x = x / 2
        n += 1
    return x, n


def indexed(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    total = torch.zeros_like(x[0])
    for i in range(n):  # GM103
        total = total + x[i]
    return total


def random(x: torch.Tensor) -> torch.Tensor:
    while x.norm() > 1:  # GM103
        x = x * torch.rand_like(x)
    return x


def rooted(x: torch.Tensor) -> torch.Tensor:
    while x.max() > 2:  # GM103
        x = x.sqrt()
    return x


def longer(x: torch.Tensor) -> torch.Tensor:
    while x.shape[0] < 9 and x.sum() > 0:  # GM103
        x = torch.cat([x, x])
    return x


def reduced(x: torch.Tensor) -> torch.Tensor:
    while x.sum() > 4:  # GM103
        x = x.sum()
        x = x - 9
    return x


def unset(x: torch.Tensor) -> torch.Tensor:
    while x.sum() > 4:  # GM103
        last = x - 1
        x = last - 1
    return last


def in_place(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    z = y
    while y.sum() > 4:  # GM103
        y = y - 1
        y.mul_(0.5)
    return y + z


def otherwise(x: torch.Tensor) -> torch.Tensor:
    while x.sum() > 4:  # GM103
        x = x - 1
    else:
        x = x * 3
    return x


def forward(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    y = numbered(x)[0] + indexed(x, n) + random(x) + rooted(x).sum() + longer(x).sum() + reduced(x)
    return y + in_place(x) + otherwise(x) + unset(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(5), torch.tensor(1)), (torch.ones(3), torch.tensor(2))]
