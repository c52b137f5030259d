"""Not flagged: the flag is off unless somebody turns it on."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, verbose: bool = False) -> None:
        super().__init__()
        self.verbose = verbose

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.verbose:
            print("x", x)
        return x + 1


forward = Net


def inputs() -> list[object]:
    return [torch.arange(3.0)]
