# side-effects: once
import warnings

import torch
from torch import nn


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.warned = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            warnings.warn("Dropout is ignored.", FutureWarning)  # GM303
        warnings.warn("From where it is called.", stacklevel=2)  # GM303
        return x + 1


def inputs():
    return [(torch.ones(2),), (torch.ones(2),)]
