import contextlib
import warnings

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    with warnings.catch_warnings(record=True) as found:  # GM401
        x = x * 2
    with contextlib.ExitStack() as stack:  # GM401
        x = x * 3
        stack.enter_context(torch.no_grad())
        x = x + len(found)
    return x


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.ones(2),)]
