"""Refused: the condition takes something out of a set, which compiled code must do, too."""

import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    left = {1, 2}
    if x.sum() > 0 and not left.discard(1):  # GM101
        logger.info("one less")
    return x + len(left)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
