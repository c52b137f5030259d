import logging
import uuid

import torch

logger = logging.getLogger("case")
logger.disabled = True


def forward(x: torch.Tensor) -> torch.Tensor:
    text = "sum: %s" % x.sum()  # GM401
    shown = repr(x)  # GM401
    run = str(uuid.uuid4())  # GM401
    logger.info("%s: %s", run, text)
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
