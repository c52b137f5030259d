import logging
import warnings

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    logger.info("slow")
    warnings.warn("slow", stacklevel=2)  # GM303
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
