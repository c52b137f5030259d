"""Refused: torch makes masks of lists of bools. Storing a number under one does not break the graph."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.tails = ["linear", "circular"]

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        linear = [each == "linear" for each in self.tails]
        x = x.clone()
        x[:, [True, False]] = 0.0
        x[..., linear, 0] = x[..., linear, 1]  # GM501
        return x, x[[False, True]], x[[1, 0]]  # GM501


forward = Model


def inputs() -> list[object]:
    return [torch.arange(4.0).reshape(2, 2)]
