"""A bound that Python counts: every turn runs, and a flag says which ones count."""

import torch


def forward(x: torch.Tensor, limit: int = 4) -> torch.Tensor:
    n = 0
    # until it is small
    active = torch.ones((), dtype=torch.bool, device=x.device)
    while n < limit:
        active = active & (x.norm() > 1)
        x = torch.where(active, x / 2, x)
        n += 1
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    given = [torch.ones(3) * scale for scale in (0.1, 3.0, 100.0, 0.1)]
    return [(each.requires_grad_(),) for each in given] + [(torch.ones(3), 1)]
