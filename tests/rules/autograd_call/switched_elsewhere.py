from typing import Any, NamedTuple

import torch
from torch import nn


class State(NamedTuple):
    v: torch.Tensor


def start(x: torch.Tensor) -> State:
    return State(x.detach() * 2)


class Cell(nn.Module):
    def __init__(self, fallback: Any = start) -> None:
        super().__init__()
        self.fallback = fallback

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = self.fallback(x)
        state.v.requires_grad = True  # GM403
        total = torch.zeros((), requires_grad=self.training)  # GM403
        return state.v + x + total


forward = Cell


def inputs() -> list[object]:
    return [torch.arange(4.0)]
