import torch
from torch import nn


class forward(nn.Module):
    """Set back in each call."""

    def __init__(self) -> None:
        super().__init__()
        self.step = 0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.step = 0
        for _ in range(3):
            self.step += 1
            x = x * self.step
        return x


class Buffer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("step", torch.zeros((), dtype=torch.int64))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.step += 1
        return x * self.step


class Window(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.seen = []

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen.append(x.detach())
        if len(self.seen) > 1:
            self.seen.pop(0)
        return x + self.seen[0]


class Once(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.ready = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if not self.ready:
            self.ready = True
        return x + 1


def inputs():
    return [(torch.ones(2),)]
