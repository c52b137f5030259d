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
        if not torch.compiler.is_compiling():
            print(kind)
            print(f"{type(x)}")
            print(x.__class__)
            print(self.kind)
            print(KEY)
        return x + 1


forward = Model


def inputs() -> list[object]:
    return [torch.ones(2)]
