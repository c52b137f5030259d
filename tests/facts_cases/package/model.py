from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from . import Block, blocks, rescale

if TYPE_CHECKING:
    from torch import Tensor

try:
    import missing
except ImportError:
    missing = None


class Model(Block):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x: Tensor):
        a = self.block(x)  # kind: tensor 0-dim
        b = rescale(x)  # kind: tensor
        c = blocks.scale(x)  # kind: tensor
        d = torch.ones(3)  # kind: tensor
        return a + b + c + d
