import logging
import warnings

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        logger.info("slow")
        warnings.warn("slow", stacklevel=2)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
