"""A bound that Python counts: every turn runs, and a flag says which ones count."""

import torch


def forward(x: torch.Tensor, limit: int = 4) -> torch.Tensor:
    n = 0
    # until it is small
    while x.norm() > 1 and n < limit:  # GM103
        x = x / 2
        n += 1
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    given = [torch.ones(3) * scale for scale in (0.1, 3.0, 100.0, 0.1)]
    return [(each.requires_grad_(),) for each in given] + [(torch.ones(3), 1)]
