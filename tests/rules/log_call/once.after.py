# side-effects: once
import logging

import torch

logger = logging.getLogger(__name__)
WIDTH = 8


@torch.compiler.assume_constant_result
def _say_the_cache_is_off() -> None:
    logger.warning("The cache is off by default.")


@torch.compiler.assume_constant_result
def _say_it_takes_two_lines() -> None:
    logger.warning(
        "It takes two lines to say "
        "what is wrong."
    )


@torch.compiler.assume_constant_result
def _say_width() -> None:
    logger.info(f"width {WIDTH}")


@torch.compiler.assume_constant_result
def _say_width_d() -> None:
    logger.info("width %d", WIDTH)


def forward(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    if not torch.compiler.is_compiling():
        logger.info("first %d", x.shape[0])
    # always the same
    _say_the_cache_is_off()
    if x.shape[0] > 1:
        _say_it_takes_two_lines()
    _say_width()
    _say_width_d()
    if not torch.compiler.is_compiling():
        logger.info("rows %d", x.shape[0])
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(2),)]
