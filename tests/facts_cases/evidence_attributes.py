from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Cache:
    index: torch.Tensor
    key: torch.Tensor
    length: int = 0


class Model(nn.Module):
    def forward(self, x, cache):
        a = cache.index[0]  # kind: tensor
        b = cache.length  # kind: constant
        return x.sum() + cache.key + a + b
