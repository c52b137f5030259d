"""Refused: no operator gives a row on one side and all of them on the other, or half of the bits."""

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return first(x), narrow(x), shorten(x)


def first(x: torch.Tensor) -> torch.Tensor:
    if (x == x[:, :1]).all():  # GM101
        return x[:, 0]
    return x


def narrow(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        return x.log().half()
    return x.float()


def shorten(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        x = x[0].log()
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3, 3), torch.arange(9.0).reshape(3, 3) - 9]
