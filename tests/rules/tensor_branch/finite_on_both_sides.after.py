"""Both sides rest on what is tested, or neither does: the gradient is NaN in either case, or in none."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.layer(x).exp()
        h = torch.where(torch.isinf(h).any(), h.clamp(max=10.0), h)
        weight = x * 2
        weight = torch.where(torch.isnan(h).any(), x * 3, weight)
        total = (x * x).sum()
        total = torch.where(total != total, total * 0.5 + 1, total)
        weight = torch.where((x.abs() == float("inf")).any(), weight - x / 4, weight)
        if total.dtype == torch.float16:
            limit = torch.finfo(total.dtype).max - 1000
            total = torch.where(torch.isinf(total), total.clamp(max=limit), total)
        limit = torch.finfo(total.dtype).max - 1000
        total = torch.where(
            torch.isinf(total).reshape(()) | torch.isnan(total).reshape(()),
            total.clamp(max=limit),
            total,
        )
        return h.detach() + weight + total


forward = Scaled


def inputs() -> list[object]:
    return [torch.ones(2), torch.full((2,), 1e10)]
