"""A comparison of a whole number of eight bytes is kept for the gradient; where there is none, any buffer will do."""

import torch
from torch import nn


class Warmup(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.register_buffer("step", torch.tensor(0))
        self.register_buffer("scale", torch.ones(()))

    @torch.no_grad()
    def rescale(self, x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        if self.scale < 2:  # GM101
            y = x + 1
        self.scale.mul_(2)
        return y

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.layer(x)
        if self.step < 1:  # GM101
            y = y * 2
        self.step += 1
        return y + self.rescale(x)


forward = Warmup


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2), torch.ones(2)]
