"""A loop that tests each element and stores one: all elements at once."""

import torch


def doubled(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    y.copy_(torch.where(x > 0, x * 2 - torch.tanh(x), y))
    return y


def clipped(x: torch.Tensor) -> torch.Tensor:
    # no negative ones
    x.copy_(torch.where(~(x >= 0) | (x > 2.5), 0, x + 1))
    return x


def grid(x: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    y = x.clone()
    y.copy_(torch.where((x > 0) & (x < 2), x ** 2, torch.where(x < -1, -1.0, y)))
    return y + rows[0] * 0


def counted(x: torch.Tensor) -> torch.Tensor:
    flags = torch.zeros_like(x, dtype=torch.bool)
    flags = torch.where(x > 1, True, flags)
    return flags


def forward(x: torch.Tensor, rows: torch.Tensor) -> list[torch.Tensor]:
    return [doubled(x), clipped(x * 2), grid(rows, rows), counted(x)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, rows = torch.tensor([1.5, -2.0, 0.0, float("nan")]), torch.tensor([[1.0, -3.0], [float("inf"), 0.5]])
    return [(x, rows), (x.half(), -rows), (torch.tensor([3, -1]), torch.tensor([[1], [-2]])), (x[:0], rows), (x.nan_to_num().requires_grad_(), rows)]
