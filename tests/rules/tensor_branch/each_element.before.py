"""A loop that tests each element and stores one: all elements at once."""

import torch


def doubled(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            y[i] = x[i] * 2 - torch.tanh(x[i])
    return y


def clipped(x: torch.Tensor) -> torch.Tensor:
    for i in range(len(x)):
        # no negative ones
        value = x[i]
        if not value >= 0 or value.item() > 2.5:  # GM101
            x[i] = 0
        else:
            x[i] += 1
    return x


def grid(x: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    for i in range(x.size(0)):
        for j in range(x.size(1)):
            if x[i, j] > 0 and x[i][j] < 2:  # GM101
                y[i, j] = x[i, j] ** 2
            elif x[i, j] < -1:  # GM101
                y[i, j] = -1.0
    return y + rows[0] * 0


def counted(x: torch.Tensor) -> torch.Tensor:
    flags = torch.zeros_like(x, dtype=torch.bool)
    for i, value in enumerate(x):
        if value > 1:  # GM101
            flags[i] = True
    return flags


def forward(x: torch.Tensor, rows: torch.Tensor) -> list[torch.Tensor]:
    return [doubled(x), clipped(x * 2), grid(rows, rows), counted(x)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, rows = torch.tensor([1.5, -2.0, 0.0, float("nan")]), torch.tensor([[1.0, -3.0], [float("inf"), 0.5]])
    return [(x, rows), (x.half(), -rows), (torch.tensor([3, -1]), torch.tensor([[1], [-2]])), (x[:0], rows), (x.nan_to_num().requires_grad_(), rows)]
