import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    if logger.isEnabledFor(logging.DEBUG):  # GM302
        logger.debug("x %s", x)  # GM302
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
