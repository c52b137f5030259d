import math
import sys

import torch


def forward(x: torch.Tensor, check: bool = True) -> torch.Tensor:
    loss = x.mean()
    if torch.compiler.is_compiling():
        torch._assert_async(torch.isfinite(loss), "sys.exit(1)")
    elif not math.isfinite(loss.item()):
        print("loss is not finite")
        sys.exit(1)
    if torch.compiler.is_compiling():
        if check:
            torch._assert_async(~x.isinf().any(), "infinite")
    elif check and torch.is_nonzero(x.isinf().any()):
        sys.exit("infinite")
    x = x + 1
    return x * loss


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0])
    return [(x,), (x * torch.nan,), (-x,)]
