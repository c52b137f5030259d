"""The side that is not taken gets a gradient of zero, and what is not finite makes NaN of it."""

import torch
from torch import nn


def limited(loss: torch.Tensor) -> torch.Tensor:
    if torch.isnan(loss):  # GM101
        return torch.zeros_like(loss)
    return loss * 2


class Careful(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        loss = self.layer(x).exp().mean()
        broken = torch.isinf(loss) | torch.isnan(loss)
        if broken:  # GM101
            loss = loss.detach() * 0
        y = x
        if torch.isfinite(loss).all():  # GM101
            y = x - loss
        return y + limited(loss)


forward = Careful


def inputs() -> list[object]:
    return [torch.ones(2), torch.full((2,), 1e10)]
