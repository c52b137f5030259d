# side-effects: once
import warnings

import torch
from torch import nn


@torch.compiler.assume_constant_result
def _say_dropout_is_ignored() -> None:
    warnings.warn("Dropout is ignored.", FutureWarning)


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.warned = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training:
            _say_dropout_is_ignored()
        if not torch.compiler.is_compiling():
            warnings.warn("From where it is called.", stacklevel=2)
        return x + 1


def inputs():
    return [(torch.ones(2),), (torch.ones(2),)]
