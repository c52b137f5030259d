import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling() and logger.isEnabledFor(logging.DEBUG):
        logger.debug("x %s", x)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
