import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    if mask is None:
        logger.warning("no mask")  # GM302
        mask = torch.ones_like(x)
    return x * mask


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
