import logging

import torch

logger = logging.getLogger(__name__)


def say(text: str) -> None:
    logger.info(text)  # GM302


def forward(x: torch.Tensor) -> torch.Tensor:
    say("running")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
