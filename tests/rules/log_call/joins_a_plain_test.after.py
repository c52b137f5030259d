import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    if not torch.compiler.is_compiling() and mask is None:
        logger.warning("no mask")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
