"""Refused: where `x` is kept it is the caller's tensor, which `r` changes; `torch.cond` would give a copy."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        x = torch.log(x)
    r = x
    r.add_(1.0)
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
