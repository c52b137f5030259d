# all rules
import logging
import warnings

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if torch.isinf(y).any():  # GM101
        warnings.warn("clamped")  # the caller should know
        y = y.clamp(max=3)
    if y.sum() > 9:  # GM101
        y = y - 1
    else:
        if not torch.compiler.is_compiling():
            logger.warning("small: %s", y.shape)
        y = y + 1
    return y


def inputs() -> list[torch.Tensor]:
    up = torch.tensor([0.5, float("inf")])
    return [up, torch.tensor([0.5, 2.0], requires_grad=True), torch.tensor([9.0, 2.0]), up]


compiled = torch.compile(forward)
