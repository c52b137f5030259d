# all rules
from random import randrange

import torch
from torch import nn


def drop_with_flags(layers, rate=0.0):
    if rate == 0:
        return [(layer, True) for layer in layers]

    flags = torch.zeros(len(layers)).uniform_(0.0, 1.0) < rate

    # one stays
    if torch.compiler.is_compiling():
        index = randrange(len(layers))
        spared = torch.arange(flags.shape[0], device=flags.device) == index
        flags = flags & ~(flags.all() & spared)
    elif all(flags):
        index = randrange(len(layers))
        flags[index] = False

    layers = [(layer, ~flag) for layer, flag in zip(layers, flags)]
    return layers


def drop(layers, rate=0.0):
    if rate == 0:
        return layers

    flags = torch.zeros(len(layers)).uniform_(0.0, 1.0) < rate

    # one stays
    if all(flags):
        index = randrange(len(layers))
        flags[index] = False

    layers = [layer for (layer, flag) in zip(layers, flags) if not flag]
    return layers


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        pairs = [nn.ModuleList([nn.Linear(3, 3), nn.LayerNorm(3)]) for _ in range(3)]
        self.layers = nn.ModuleList(pairs)
        self.others = nn.ModuleList(nn.Linear(3, 3) for _ in range(2))

    def forward(self, x: torch.Tensor, rate: float = 0.5) -> torch.Tensor:
        layers = drop_with_flags(self.layers, rate=rate)

        for (linear, norm), kept in layers:

            def layer(x):
                # residual
                y = linear(x)
                x = norm(y) + x
                return x

            if torch.compiler.is_compiling():
                x = layer(x) if kept is True else torch.where(kept.to(x.device), layer(x.clone()), x)
            elif kept:
                x = layer(x)
        for other, kept in drop_with_flags(self.others):

            def layer(x):
                x = other(x)
                return x

            if torch.compiler.is_compiling():
                x = layer(x) if kept is True else torch.where(kept.to(x.device), layer(x.clone()), x)
            elif kept:
                x = layer(x)
        return x


forward = Model


def inputs() -> list[object]:
    torch.manual_seed(0)
    x = torch.randn(4, 3).requires_grad_()
    return [(x, 0.0), (x, 0.4), (x, 0.2), (x, 0.4)]
