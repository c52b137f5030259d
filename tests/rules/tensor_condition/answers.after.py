# all rules
"""Functions that answer with a bool, of which only the truth is asked, answer with the tensor while compiling."""

import torch
from torch import nn


def is_dense(count: int, sizes: torch.Tensor) -> bool:
    spread = sizes.std() / sizes.mean()
    if torch.compiler.is_compiling():
        return spread < 0.5 if count < 16 else False
    return bool(spread < 0.5) and count < 16


class Model(nn.Module):
    def __init__(self, count: int = 3) -> None:
        super().__init__()
        self.count = count
        self.weight = nn.Parameter(torch.linspace(-1, 1, count * 4).reshape(count, 2, 2))

    def is_large(self, x: torch.Tensor, skip: bool) -> bool:
        if skip:
            return False
        if torch.compiler.is_compiling():
            return x.max() > 2
        return x.max().item() > 2

    def forward(self, x: torch.Tensor, kind: torch.Tensor, skip: bool = False) -> torch.Tensor:
        dense = is_dense(self.count, kind.float() + 1)
        condition = torch.as_tensor(dense).bool().reshape(())

        def if_true():
            out = torch.zeros(x.shape[0], 2)
            for k in range(self.count):
                chosen = (kind == k).to(x.dtype).unsqueeze(1)
                out = out + (x @ self.weight[k]) * chosen
            return out.clone()

        def if_false():
            return torch.bmm(x.unsqueeze(1), self.weight[kind]).squeeze(1).clone()

        if torch.compiler.is_compiling():
            out = torch.cond(condition, if_true, if_false)
        else:
            out = if_true() if condition else if_false()
        large = self.is_large(out, skip)
        out = torch.where(torch.as_tensor(large).bool().reshape(()), out * 0.5, out)
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
