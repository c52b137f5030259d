"""The operator takes neither classes nor bytes."""

import torch
from torch import nn

KEY = b"key"


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.kind = type(self)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kind = type(x)
        print(kind)  # GM301
        print(f"{type(x)}")  # GM301
        print(x.__class__)  # GM301
        print(self.kind)  # GM301
        print(KEY)  # GM301
        return x + 1


forward = Model


def inputs() -> list[object]:
    return [torch.ones(2)]
