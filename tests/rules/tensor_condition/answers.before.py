# all rules
"""Functions that answer with a bool, of which only the truth is asked, answer with the tensor while compiling."""

import torch
from torch import nn


def is_dense(count: int, sizes: torch.Tensor) -> bool:
    spread = sizes.std() / sizes.mean()
    return bool(spread < 0.5) and count < 16  # GM104


class Model(nn.Module):
    def __init__(self, count: int = 3) -> None:
        super().__init__()
        self.count = count
        self.weight = nn.Parameter(torch.linspace(-1, 1, count * 4).reshape(count, 2, 2))

    def is_large(self, x: torch.Tensor, skip: bool) -> bool:
        if skip:
            return False
        return x.max().item() > 2

    def forward(self, x: torch.Tensor, kind: torch.Tensor, skip: bool = False) -> torch.Tensor:
        dense = is_dense(self.count, kind.float() + 1)
        if dense:
            out = torch.zeros(x.shape[0], 2)
            for k in range(self.count):
                chosen = (kind == k).to(x.dtype).unsqueeze(1)
                out = out + (x @ self.weight[k]) * chosen
        else:
            out = torch.bmm(x.unsqueeze(1), self.weight[kind]).squeeze(1)
        large = self.is_large(out, skip)
        if large:
            out = out * 0.5
        return out


class Forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.small, self.large = Model(), Model(20)

    def forward(self, x: torch.Tensor, kind: torch.Tensor, skip: bool) -> torch.Tensor:
        return self.small(x, kind, skip) + self.large(x, kind)


forward = Forward


def inputs() -> list[object]:
    x, even, odd = torch.ones(3, 2), torch.tensor([1, 1, 1]), torch.tensor([0, 2, 0])
    return [(x, even, False), (x, odd, True), (x * 9, odd, False), (x * 9, even, True), (x, even, False)]
