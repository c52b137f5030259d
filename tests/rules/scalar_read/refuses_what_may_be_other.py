"""Refused: a caller passes what is not known, and need not be a tensor."""

import numpy as np
import torch
from torch import nn


def scaled(x: torch.Tensor, by) -> torch.Tensor:
    x = x * int(by)  # GM201
    return x + float(by)  # GM201


def product(x: torch.Tensor, by) -> torch.Tensor:
    for each in by.tolist():  # GM201
        x = x * each
    return x


class Model(nn.Module):
    def __init__(self, config: object = None) -> None:
        super().__init__()
        self.scale = getattr(config, "scale", 3)
        self.scales = getattr(config, "scales", np.ones(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = scaled(x, x.sum()) + scaled(x, self.scale)
        return product(x, x.abs()) + product(x, self.scales)


forward = Model


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
