# all rules
import logging
import warnings

import torch

logger = logging.getLogger(__name__)


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    condition = torch.isinf(y).any()
    if not torch.compiler.is_compiling() and condition:
        warnings.warn("clamped")  # the caller should know
    y = torch.where(condition, y.clamp(max=3), y)
    condition = y.sum() > 9
    if not torch.compiler.is_compiling() and not condition:
        logger.warning("small: %s", y.shape)
    y = torch.where(condition, y - 1, y + 1)
    return y


def inputs() -> list[torch.Tensor]:
    up = torch.tensor([0.5, float("inf")])
    return [up, torch.tensor([0.5, 2.0], requires_grad=True), torch.tensor([9.0, 2.0]), up]


compiled = torch.compile(forward)
