import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    if mask is None:
        if not torch.compiler.is_compiling():
            logger.warning("no mask")
        mask = torch.ones_like(x)
    return x * mask


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
