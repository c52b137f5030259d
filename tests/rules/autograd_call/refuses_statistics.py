"""Refused: batch normalization stores its statistics while the gradient is taken, which `torch.func` does not allow."""

import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        leaf = x.detach().requires_grad_()  # GM403
        score = self.norm(leaf).pow(2).sum()
        (slope,) = torch.autograd.grad(score, leaf)  # GM403
        return slope


forward = Critic


def inputs() -> list[object]:
    return [torch.arange(4.0).reshape(2, 2)]
