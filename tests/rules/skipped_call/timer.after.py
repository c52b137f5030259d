import logging
import time

import torch

logger = logging.getLogger("case")
logger.disabled = True


def forward(x: torch.Tensor, verbose: bool = False) -> torch.Tensor:
    # how long it takes
    if not torch.compiler.is_compiling():
        start = time.perf_counter()
        total = 0.0
    for _ in range(2):
        if not torch.compiler.is_compiling():
            begin = time.perf_counter()
        x = x * 2
        if not torch.compiler.is_compiling():
            total += time.perf_counter() - begin
    if not torch.compiler.is_compiling():
        spent = time.perf_counter() - start
        if verbose:
            logger.info("took %f of %f", total, spent)
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(2), True), (torch.ones(3),)]
