"""Buffers scaled in place by numbers that are attributes; the condition is a tensor of its own, and needs no copy."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, backoff: float = 0.5, growth: int = 2) -> None:
        super().__init__()
        self.register_buffer("scale", torch.tensor(16.0))
        self.register_buffer("tracker", torch.tensor(0))
        self.backoff = backoff
        self.growth = growth

    def forward(self, grad: torch.Tensor) -> torch.Tensor:
        with torch.no_grad():
            found_inf = (~torch.isfinite(grad)).any()
            self.scale.copy_(torch.where(found_inf, self.scale * self.backoff, self.scale))
            self.tracker.copy_(torch.where(found_inf, 0, self.tracker + 1))
            condition = self.tracker == 2
            self.scale.copy_(torch.where(condition, self.scale * self.growth, self.scale))
            self.tracker.copy_(torch.where(condition, 0, self.tracker))
            return grad / self.scale


forward = Scale


def inputs() -> list[object]:
    return [torch.ones(2), torch.full((2,), float("inf")), torch.ones(2), torch.ones(2), torch.ones(2)]
