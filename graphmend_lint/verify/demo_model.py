"""The model of `graphmend-lint demo`: small, ordinary, and with four habits that break the graph."""

from __future__ import annotations

import logging
from typing import Any

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Denoiser(nn.Module):
    """Two layers; checks its input, and evens out how loud it is."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.outer = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if torch.isnan(x).any():
            raise ValueError("the input holds NaN")
        logger.debug("a batch of %d", x.shape[0])
        print("loudest:", x.max())
        # bring loud and quiet signals together
        if x.abs().max() > 2:
            x = x * 0.5
        else:
            x = x * 2.0
        hidden = torch.relu(self.inner(x))
        result: torch.Tensor = self.outer(hidden)
        return result


def build() -> tuple[nn.Module, tuple[Any, ...], dict[str, Any]]:
    """What to call, and with what."""
    return Denoiser(), (torch.randn(4, 16),), {}


def more_inputs() -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Inputs that take the other branch."""
    return [((10 * torch.randn(4, 16),), {})]


def bad_inputs() -> list[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Inputs that must raise, before and after."""
    return [((torch.full((4, 16), float("nan")),), {})]
