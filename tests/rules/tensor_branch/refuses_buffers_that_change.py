"""A buffer that decides and is changed: compiled code may read it again for the gradient, as it is by then."""

import torch
from torch import nn


class Decides(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.register_buffer("ready", torch.tensor(False))
        self.register_buffer("scale", torch.ones(()))

    def mark(self) -> None:
        self.ready.fill_(True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.layer(x)
        if self.ready:  # GM101
            y = y * 2
        small = self.scale < 2
        if small:  # GM101
            y = y + 1
        self.scale += 1
        self.mark()
        return y


forward = Decides


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2)]
