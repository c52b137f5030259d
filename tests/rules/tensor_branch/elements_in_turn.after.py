"""Not done at once, since other elements are read or a name lives on: each turn selects, and stores always."""

import torch


def neighbours(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = torch.where((x[i] > 0).reshape(()), x[i - 1] * 2, y[i])
    return y


def counted(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = torch.where((x[i] > 0).reshape(()), x[i] * i, y[i])
    return y


def last(x: torch.Tensor) -> torch.Tensor:
    y = torch.zeros_like(x)
    for i in range(x.shape[0]):
        y[i] = torch.where((x[i] > 0).reshape(()), x[i] * 2, y[i])
    return y * i


def table(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    out = torch.ones(2, 4)
    for b in range(2):
        out[b] = torch.where(mask[b].any(), out[b] + (x[b, 0] * 2), out[b])
        condition = mask[b, 0].reshape(()) != 0
        out[b, 3] = torch.where(condition, 5, x[1, 2])
        out[b, 1:3] = torch.where(condition, x[0, 1:].detach(), 0.0)
    return out


def forward(x: torch.Tensor, rows: torch.Tensor, mask: torch.Tensor) -> list[torch.Tensor]:
    return [neighbours(x), counted(x), last(x), table(rows, mask)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    rows, mask = torch.randn(2, 3), torch.tensor([[True, False], [False, False]])
    x = torch.tensor([1.0, -2.0, float("nan"), 3.0], requires_grad=True)
    return [(x, rows, mask), (x.detach(), rows, ~mask), (torch.randn(3).half(), rows, torch.zeros(2, 2, dtype=torch.bool))]
