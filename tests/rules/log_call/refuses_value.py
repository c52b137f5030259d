"""Refused: the value of the call is used."""

import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    level = logger.getEffectiveLevel()  # GM302
    return x + level


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
