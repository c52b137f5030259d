# expect: values: attribute calls
import torch
from torch import nn


class Counter(nn.Module):
    """Keeps what it saw; the rewrite forgets it when compiled."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        if not torch.compiler.is_compiling():
            self.calls = self.calls + 1
        return torch.where(x.sum() > 0, x * 2, x)


def build():
    return Counter(), (torch.ones(3),), {}
