"""Not flagged: this is not compiled."""

import logging

import torch

logger = logging.getLogger(__name__)


def setup() -> None:
    logger.info("ready")


def forward(x: torch.Tensor) -> torch.Tensor:
    return x + 1


setup()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
