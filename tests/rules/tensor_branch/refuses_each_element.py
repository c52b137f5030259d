"""Not done at once: other elements are read, tensors may share memory, functions look at neighbours, names live on."""

import torch


def neighbours(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            y[i] = x[i - 1] * 2
    return y


def counted(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            y[i] = x[i] * i
    return y


def last(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            y[i] = x[i] * 2
    return y * i


def rows(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i].sum() > 0:  # GM101
            y[i] = x[i] * 2
    return y


def roots(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            y[i] = x[i].sqrt()
    return y


def forward(x: torch.Tensor) -> list[torch.Tensor]:
    return [neighbours(x), counted(x), last(x), rows(x), roots(x)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([1.0, -2.0])]
