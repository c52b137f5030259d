import abc

import torch
from elsewhere.modules import Base, Mixin
from torch import nn


class Layer(Base):
    def __init__(self, width):
        super().__init__()
        self.mix = nn.Linear(width, width)

    def forward(self, x: torch.Tensor):
        return self.mix(x)  # kind: tensor


class Codec(Base, Mixin):
    def __init__(self, width):
        super().__init__()
        self.layer = Layer(width)
        self.apply(print)

    def forward(self, x: torch.Tensor):
        return self.layer(x)  # kind: tensor


class Deeper(Codec):
    def forward(self, x: torch.Tensor):
        return super().forward(x)  # reached


class Settings(Base):
    def __init__(self, width):
        self.width = width

    def forward(self, x):
        return x  # not reached


class Plain(abc.ABC):
    def __init__(self):
        self.loss = nn.MSELoss()

    def forward(self, x):
        return x  # not reached
