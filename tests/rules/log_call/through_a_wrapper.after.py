import logging

import torch

logger = logging.getLogger(__name__)


def say(text: str) -> None:
    if not torch.compiler.is_compiling():
        logger.info(text)


def forward(x: torch.Tensor) -> torch.Tensor:
    say("running")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
