"""What a branch sets beside its result, and the test or the other branch reads in the next turn of a loop."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    t = x.exp()
    for _ in range(2):
        if t.sum() > 3:  # GM101
            t = x.cos()
            y = t * 2
        else:
            y = t * 3
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
