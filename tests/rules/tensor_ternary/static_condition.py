"""Not flagged: the condition is a Python flag."""

import torch


def forward(x: torch.Tensor, up: bool = True) -> torch.Tensor:
    return x * 2 if up else x * 3


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), True), (torch.ones(2), False)]
