"""Both sides rest on what is tested, or neither does: the gradient is NaN in either case, or in none."""

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.layer(x).exp()
        if torch.isinf(h).any():  # GM101
            h = h.clamp(max=10.0)
        weight = x * 2
        if torch.isnan(h).any():  # GM101
            weight = x * 3
        total = (x * x).sum()
        if total != total:  # GM101
            total = total * 0.5 + 1
        if (x.abs() == float("inf")).any():  # GM101
            weight = weight - x / 4
        if total.dtype == torch.float16 and torch.isinf(total):  # GM101
            limit = torch.finfo(total.dtype).max - 1000
            total = total.clamp(max=limit)
        if torch.isinf(total) or torch.isnan(total):  # GM101
            limit = torch.finfo(total.dtype).max - 1000
            total = total.clamp(max=limit)
        return h.detach() + weight + total


forward = Scaled


def inputs() -> list[object]:
    return [torch.ones(2), torch.full((2,), 1e10)]
