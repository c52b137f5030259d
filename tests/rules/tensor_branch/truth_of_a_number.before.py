import math

import torch


def forward(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    if torch.is_nonzero(x.sum()):  # GM101
        y = x * 2
    else:
        y = x + 1
    if n.is_nonzero() or math.isnan(x.mean().item()):  # GM101
        y = y + 2
    if not math.isinf(float(x.min())):  # GM101
        y = y - 3
    return y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    none, some = torch.tensor([0]), torch.tensor([2])
    return [(x, none), (x.detach() * 0, some), (x * torch.inf, none), (-x, some)]
