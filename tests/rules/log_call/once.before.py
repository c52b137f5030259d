# side-effects: once
import logging

import torch

logger = logging.getLogger(__name__)
WIDTH = 8


def forward(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    logger.info("first %d", x.shape[0])  # GM302
    # always the same
    logger.warning("The cache is off by default.")  # GM302
    if x.shape[0] > 1:
        logger.warning(  # GM302
            "It takes two lines to say "
            "what is wrong."
        )
    logger.info(f"width {WIDTH}")  # GM302
    logger.info("width %d", WIDTH)  # GM302
    logger.info("rows %d", x.shape[0])  # GM302
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(2),)]
