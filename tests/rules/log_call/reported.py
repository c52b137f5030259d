# side-effects: report
import logging

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    logger.info("rows %d", x.shape[0])  # GM302
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
