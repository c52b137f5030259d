import logging

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    logging.info("running")  # GM302
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
