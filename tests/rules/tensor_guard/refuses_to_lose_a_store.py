"""Refused: what the branch stores before it raises is seen by whoever catches the exception."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.failures = 0
        self.seen: list[int] = []

    def forget(self) -> None:
        self.seen.clear()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.sum() == 0:  # GM105
            self.failures += 1
            raise ValueError("empty")
        if x.sum() == 1:  # GM105
            self.seen.append(x.ndim)
            raise ValueError("one")
        if x.sum() == 2:  # GM105
            self.forget()
            raise ValueError("two")
        return x + self.failures


forward = Model


def inputs() -> list[object]:
    return [torch.ones(3), torch.zeros(3)]
