import logging
import uuid

import torch

logger = logging.getLogger("case")
logger.disabled = True


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        text = "sum: %s" % x.sum()
        shown = repr(x)
        run = str(uuid.uuid4())
        logger.info("%s: %s", run, text)
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
