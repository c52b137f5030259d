"""A loop of known length that may end early: every turn runs, and changes nothing once it is over."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = torch.zeros(4)
        # refine
        active = torch.ones((), dtype=torch.bool, device=x.device)
        for i in range(4):
            step = self.linear(x)  # not needed afterwards
            x = torch.where(active, x * 0.5 + step.mean(), x)
            seen[i] = torch.where(active, x.sum(), seen[i])
            active = active & ~(x.norm() < 1)
        active = torch.ones((), dtype=torch.bool, device=x.device)
        for _ in range(3):
            x = torch.where(active, x + 0.25, x)
            active = active & ~(x.sum() > 2)
            x = torch.where(active, x * 2.0, x)
        return x * seen.sum()


forward = Net


def inputs() -> list[object]:
    torch.manual_seed(0)
    return [(torch.randn(3) * scale).requires_grad_() for scale in (0.5, 3.0, 100.0, 0.5)]
