"""Devices that are entered; functions of one are none."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    with torch.device("cpu"):  # GM408
        y = x + torch.zeros(3)
    place = torch.device("cpu")
    with place:  # GM408
        y = y + torch.ones(3)
    with x.device:  # GM408
        y = y + torch.ones(3)
    with torch.no_grad():
        return y + torch.ones(3, device=place)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3)]
