import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, scaled: bool = False) -> None:
        super().__init__()
        if scaled:
            self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = x * self.scale
        return x


forward = Model


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(-torch.ones(3),)]
