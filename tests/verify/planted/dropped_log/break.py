import logging

import torch
from torch import nn


logger = logging.getLogger("planted")
logger.setLevel(logging.WARNING)


class Block(nn.Module):
    def forward(self, x):
        y = x.relu()
        logger.debug("rows: %d", x.shape[0])
        return y + 1


def build():
    return Block(), (torch.randn(3),), {}
