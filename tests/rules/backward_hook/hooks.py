import torch
from torch import nn


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)
        self.third = nn.Linear(4, 4)
        self.first.register_full_backward_hook(lambda module, given, found: None)
        self.second.register_forward_hook(lambda module, given, found: None)
        self.watch()

    def watch(self) -> None:
        self.third.register_full_backward_pre_hook(lambda module, found: None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x * 2)  # GM410
        return self.third(self.second(x)) + 1  # GM410


def inputs():
    return [(torch.ones(2, 4),)]
