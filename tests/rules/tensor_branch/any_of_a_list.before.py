"""Whether a test holds for any tensor of a list, or for all: asked of all at once."""

import torch
from torch import nn


class Stages(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Identity(), nn.Identity()])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found = []
        for layer in self.layers:
            x = layer(x) * 2
            found.append(x)
        y = x + 1
        if any((each > 8).any() for each in found):  # GM101
            y = x * 0.5
        if not all(each.sum() > 0 for each in found):  # GM101
            y = y - 1
        return y * 2


forward = Stages


def inputs() -> list[object]:
    return [torch.ones(2), torch.ones(2) * 3, -torch.ones(2)]
