import torch
from torch import nn

CALLS = 0


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.step = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.step += 1  # GM601
        if self.step % 2 == 0:
            x = x + 1
        return x * 2


class Arithmetic(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.left = 100

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.left = self.left - 1  # GM601
        return x * self.left


class Growing(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen.append(x.detach())  # GM601
        return x / len(self.seen)


class Global(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        global CALLS
        CALLS += 1  # GM601
        return x * CALLS


def inputs():
    return [(torch.ones(2),)]
