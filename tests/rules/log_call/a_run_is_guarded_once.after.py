import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    # say it
    if not torch.compiler.is_compiling():
        logger.info("one")
        logger.debug("two %s", x.shape)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
