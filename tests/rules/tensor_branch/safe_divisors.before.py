"""A division by what the condition has found not to be zero: by 1 where it is zero, so that no gradient is NaN."""

import torch
from torch import nn


def masked_mean(values: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    n = mask.sum()
    if n > 0:  # GM101
        return (values * mask).sum() / n
    return values.sum() * 0


class Loss(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        loss = masked_mean(x.exp(), mask)
        count = (mask > 0).sum()
        if count == 0:  # GM101
            loss = loss + x.mean()
        else:
            loss = loss + (x * mask).sum() / count
        total = (mask * x).sum()
        if not total:  # GM101
            return loss * 2
        return loss / total


forward = Loss


def inputs() -> list[object]:
    x = torch.tensor([0.5, -2.0, 3.0], requires_grad=True)
    return [(x, torch.tensor([0.0, 1.0, 2.5])), (x, torch.zeros(3)), (x, torch.tensor([1.0, 0.0, 1.0]))]
