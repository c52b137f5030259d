import torch
from torch import nn


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        handle = self.inner.register_forward_hook(lambda module, args, output: output * 2)  # GM401
        y = self.inner(x)
        handle.remove()
        return y


def inputs():
    return [(torch.ones(2),)]
