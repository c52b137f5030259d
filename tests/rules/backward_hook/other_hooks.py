import torch
from torch import nn


class Other(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.first.register_full_backward_hook(lambda module, given, found: None)


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.first.weight.register_hook(lambda gradient: None)
        self.first.register_forward_pre_hook(lambda module, given: None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.first(x * 2) + 1


def inputs():
    return [(torch.ones(2, 4),)]
