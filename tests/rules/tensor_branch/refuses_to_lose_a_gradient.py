"""Refused: under `no_grad`, the side that passes the input on keeps the input's gradient; `torch.where` would not."""

import torch


@torch.no_grad()
def forward(x: torch.Tensor) -> torch.Tensor:
    y = x
    if x.sum() > 0:  # GM101
        y = x * 2
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3, requires_grad=True), -torch.ones(3, requires_grad=True)]
