"""Not flagged: how often these loops run is known while tracing."""

import torch


def forward(x: torch.Tensor, n: int = 3) -> torch.Tensor:
    for i in range(n):
        x = x * (i + 1)
    while n > 0:
        n -= 1
        x = x + 1
    for row in x:
        x = x + row
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2)]
