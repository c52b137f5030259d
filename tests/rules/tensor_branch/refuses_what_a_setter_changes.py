"""Refused: the mask that is made where none is given is changed by the setter of a property."""

import torch
from torch import nn


class Model(nn.Module):
    @property
    def mask(self) -> torch.Tensor:
        return self.held

    @mask.setter
    def mask(self, value: torch.Tensor) -> None:
        self.held = value
        value.zero_()

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        if mask is None:
            mask = torch.ones_like(x)
        self.mask = mask
        if (mask == 0).any():  # GM101
            x = x.masked_fill(mask == 0, -1.0)[0]
        return x


forward = Model


def inputs() -> list[object]:
    return [torch.ones(3), (torch.ones(3), torch.ones(3))]
