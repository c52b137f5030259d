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
        return h.detach() + weight


forward = Scaled


def inputs() -> list[object]:
    return [torch.ones(2), torch.full((2,), 1e10)]
