"""A count, or a sum of any numbers, is at least `1.0`: as a tensor of integers it is at least 1."""

import torch
from torch import nn


class Normalised(nn.Module):
    def forward(self, x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        loss = torch.sigmoid(x) * target
        count = (target > 0).sum().clamp(min=1)
        total = target.sum().detach().clamp(min=1).clamp(max=50)
        return loss.sum() / count + loss.mean() / total


forward = Normalised


def inputs() -> list[object]:
    x = torch.tensor([0.5, -2.0, 3.0], requires_grad=True)
    return [(x, torch.tensor([0.0, 1.0, 2.5])), (x, torch.zeros(3)), (x, torch.tensor([0, 1, 2])), (x, x.detach() * 30)]
