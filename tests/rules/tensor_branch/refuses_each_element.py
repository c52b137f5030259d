"""Not done at once: functions look at neighbours, and gradients may be NaN."""

import torch


def roots(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            y[i] = x[i].sqrt()
    return y


def forward(x: torch.Tensor, at: torch.Tensor) -> list[torch.Tensor]:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            y[at[i]] = x[i] * 2
    return [roots(x), y]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, -2.0]), torch.tensor([1, 0]))]
