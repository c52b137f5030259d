import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    left = {1, 2}
    if not left.discard(1):
        logger.info("one less")  # GM302
    return x + len(left)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3)]
