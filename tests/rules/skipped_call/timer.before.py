import logging
import time

import torch

logger = logging.getLogger("case")
logger.disabled = True


def forward(x: torch.Tensor, verbose: bool = False) -> torch.Tensor:
    # how long it takes
    start = time.perf_counter()  # GM401
    total = 0.0
    for _ in range(2):
        begin = time.perf_counter()  # GM401
        x = x * 2
        total += time.perf_counter() - begin  # GM401
    spent = time.perf_counter() - start  # GM401
    if verbose:
        logger.info("took %f of %f", total, spent)
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(2), True), (torch.ones(3),)]
