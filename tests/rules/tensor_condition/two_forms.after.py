# all rules
"""What is a tensor while compiling and a bool or a number in eager mode is made a tensor where a tensor has to be."""

import torch
from torch import nn


class Model(nn.Module):
    def is_large(self, x: torch.Tensor) -> bool:
        if torch.compiler.is_compiling():
            return (x > 2).any()
        return bool((x > 2).any())

    def count(self, x: torch.Tensor) -> int:
        if torch.compiler.is_compiling():
            return (x > 1).sum()
        return int((x > 1).sum())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x * 2
        y = torch.where(torch.as_tensor(self.is_large(y)).bool().reshape(()), y + 1, y)
        y = torch.where(~torch.as_tensor(self.is_large(x)).bool().reshape(()), y - 1, y)
        y = torch.where(torch.as_tensor(self.count(x) > 1).bool().reshape(()), y * 3, y * 4)
        number = (x < 0).sum() if torch.compiler.is_compiling() else (x < 0).sum().item()
        y = torch.where(~torch.as_tensor(number == 1).bool().reshape(()), y * 5, y)
        if torch.compiler.is_compiling():
            found = (x == 7).any()
        else:
            found = bool((x == 7).any())
        y = torch.where(~torch.as_tensor(found).bool().reshape(()), y * 6, y * 7)
        return y


forward = Model


def inputs() -> list[object]:
    return [torch.tensor(each) for each in ([3.0, -1.0], [0.1, 0.2], [7.0, 2.0], [-1.0, -2.0], [3.0, -1.0])]
