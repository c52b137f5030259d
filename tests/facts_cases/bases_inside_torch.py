"""Base classes that torch keeps for itself, and others derive from."""

import torch
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm
from torch.nn.modules.loss import _Loss


class Distance(_Loss):
    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction=reduction)

    def forward(self, prediction, target):
        return _apart(prediction.detach(), target)  # kind: tensor


class Norm(_BatchNorm):
    def forward(self, x):
        return x.unsqueeze(0)  # kind: tensor


class Weights(nn.modules.conv._ConvNd):
    def forward(self, x):
        return torch.relu(x)  # kind: tensor


def _apart(a, b):
    return (a - b).abs()  # reached
