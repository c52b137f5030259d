import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() > 0:  # GM101
            x = self.linear(x) // 2
        return x


forward = Model


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.ones(3, 3),)]
