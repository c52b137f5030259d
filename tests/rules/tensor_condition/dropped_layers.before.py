# all rules
from random import randrange

import torch
from torch import nn


def drop(layers, rate=0.0):
    if rate == 0:
        return layers

    flags = torch.zeros(len(layers)).uniform_(0.0, 1.0) < rate

    # one stays
    if all(flags):
        index = randrange(len(layers))
        flags[index] = False

    layers = [layer for (layer, flag) in zip(layers, flags) if not flag]  # GM104
    return layers


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        pairs = [nn.ModuleList([nn.Linear(3, 3), nn.LayerNorm(3)]) for _ in range(3)]
        self.layers = nn.ModuleList(pairs)
        self.others = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))

    def forward(self, x: torch.Tensor, rate: float = 0.5) -> torch.Tensor:
        layers = drop(self.layers, rate=rate)

        for linear, norm in layers:
            # residual
            y = linear(x)
            x = norm(y) + x
        for other in drop(self.others):
            x = other(x)
        return x


forward = Model


def inputs() -> list[object]:
    torch.manual_seed(0)
    x = torch.randn(4, 3).requires_grad_()
    return [(x, 0.0), (x, 0.4), (x, 0.2), (x, 0.4)]
