"""A division by what the condition has found not to be zero: by 1 where it is zero, so that no gradient is NaN."""

import torch
from torch import nn


def masked_mean(values: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    n = mask.sum()
    return torch.where(n > 0, (values * mask).sum() / torch.where(n > 0, n, 1), values.sum() * 0)


class Loss(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        loss = masked_mean(x.exp(), mask)
        count = (mask > 0).sum()
        loss = torch.where(
            count == 0,
            loss + x.mean(),
            loss + (x * mask).sum() / torch.where(count != 0, count, 1),
        )
        total = (mask * x).sum()
        return torch.where(~(total != 0), loss * 2, loss / torch.where(total != 0, total, 1))


forward = Loss


def inputs() -> list[object]:
    x = torch.tensor([0.5, -2.0, 3.0], requires_grad=True)
    return [(x, torch.tensor([0.0, 1.0, 2.5])), (x, torch.zeros(3)), (x, torch.tensor([1.0, 0.0, 1.0]))]
