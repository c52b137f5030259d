import copy

import torch
from torch import nn


class Odd(list):
    pass


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x: torch.Tensor, sizes: list[int]) -> torch.Tensor:
        y = copy.deepcopy(x)  # GM401
        with torch.no_grad():
            scale = copy.deepcopy(self.scale)  # GM401
        place = x.argmax()
        place.note = 2
        y = y + copy.deepcopy(place).note  # GM401
        first = copy.copy(sizes)[0]  # GM401
        return y * scale + copy.copy(x) + first  # GM401


forward = Model


def inputs():
    return [(torch.ones(3), Odd([1, 2]))]
