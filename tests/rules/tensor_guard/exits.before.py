import math
import sys

import torch


def forward(x: torch.Tensor, check: bool = True) -> torch.Tensor:
    loss = x.mean()
    if not math.isfinite(loss.item()):  # GM105
        print("loss is not finite")
        sys.exit(1)
    if check and torch.is_nonzero(x.isinf().any()):  # GM105
        sys.exit("infinite")
    else:
        x = x + 1
    return x * loss


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0])
    return [(x,), (x * torch.nan,), (-x,)]
