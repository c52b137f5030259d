# all rules
"""What is a tensor while compiling and a bool or a number in eager mode is made a tensor where a tensor has to be."""

import torch
from torch import nn


class Model(nn.Module):
    def is_large(self, x: torch.Tensor) -> bool:
        return bool((x > 2).any())  # GM104

    def count(self, x: torch.Tensor) -> int:
        if torch.compiler.is_compiling():
            return (x > 1).sum()
        return int((x > 1).sum())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        if self.is_large(y):
            y = y + 1
        if not self.is_large(x):
            y = y - 1
        y = y * 3 if self.count(x) > 1 else y * 4
        number = (x < 0).sum() if torch.compiler.is_compiling() else (x < 0).sum().item()
        if not number == 1:
            y = y * 5
        if torch.compiler.is_compiling():
            found = (x == 7).any()
        else:
            found = bool((x == 7).any())
        y = y * 6 if not found else y * 7
        return y


forward = Model


def inputs() -> list[object]:
    return [torch.tensor(each) for each in ([3.0, -1.0], [0.1, 0.2], [7.0, 2.0], [-1.0, -2.0], [3.0, -1.0])]
