import numpy as np
import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.width = width

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        most = np.maximum(2, 3)
        x = x[:, :most] * most  # GM201
        least = int(np.minimum(3, 2))  # GM201
        half = int(np.round(self.width / 2))
        return x[:, :least] * half * np.power(2.0, 3)


forward = Model


def inputs() -> list[object]:
    return [torch.arange(16.0).view(2, 8)]
