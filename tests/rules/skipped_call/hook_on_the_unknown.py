"""Nothing but a module takes a forward hook; and a number that is drawn below a tensor reads the tensor."""

import random

from torch import nn


class forward(nn.Module):
    def __init__(self, layers=None) -> None:
        super().__init__()
        self.layers = layers or nn.ModuleList([nn.Identity()])

    def forward(self, x):
        layer = [*self.layers.children()][-1]
        handle = layer.register_forward_hook(lambda module, args, output: output * 2)  # GM401
        x = self.layers[0](x.unsqueeze(0))
        handle.remove()
        return x + random.randint(0, x.sum().long() * 0)  # GM401


def inputs():
    import torch

    return [(torch.ones(2),)]
