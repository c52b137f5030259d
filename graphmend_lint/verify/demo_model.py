"""The model of `graphmend-lint demo`: small, ordinary, and with four habits that break the graph."""

from __future__ import annotations

import logging
from typing import Any

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Denoiser(nn.Module):
    """Two layers; checks its input, and keeps loud signals in bounds."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.outer = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if torch.isnan(x).any():
            raise ValueError("the input holds NaN")
        logger.debug("a batch of %d", x.shape[0])
        hidden = torch.relu(self.inner(x))
        print("loudest:", hidden.max())
        # keep loud signals in bounds
        if hidden.max() > 2:
            hidden = hidden * 0.5
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
