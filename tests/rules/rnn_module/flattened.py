import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.GRU(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.inner.flatten_parameters()  # GM404
        return x + 1


forward = Encoder


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
