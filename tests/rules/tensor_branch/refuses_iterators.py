"""Refused: who else has the iterator would see more items taken out of it, or fewer."""

from collections.abc import Iterator

import torch


def forward(x: torch.Tensor, ys: list[torch.Tensor]) -> tuple[torch.Tensor, ...]:
    doubled = map(lambda y: y * 2, ys)
    if any(y.sum() > 0 for y in doubled):  # GM101
        x = x * 2
    items = iter(ys)
    total = summed(x, items)
    begun = iter(ys)
    most = until_said(x, begun)
    return total, most, torch.stack([*doubled, x]), torch.stack([*items, x]), torch.stack([*begun, x])


def summed(x: torch.Tensor, ys: list[torch.Tensor]) -> torch.Tensor:
    for y in ys:
        x = x + y
        if x.sum() > 5:  # GM101
            break
    return x


def until_said(x: torch.Tensor, ys: Iterator[torch.Tensor]) -> torch.Tensor:
    for y in ys:
        x = x + y
        if x.sum() > 5:  # GM101
            break
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3), [torch.ones(3)] * 3), (-torch.ones(3), [torch.ones(3)] * 3)]
