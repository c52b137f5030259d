"""Refused: what is written into a buffer is read again."""

import io

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kept = io.BytesIO()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        buffer = io.BytesIO()  # GM401
        torch.save(x, buffer)  # GM401
        torch.save(x, self.kept)  # GM401
        return x * len(buffer.getvalue()) + len(self.kept.getvalue())


forward = Model


def inputs() -> list[object]:
    return [torch.ones(2)]
