import math

import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = torch.where(x.sum() > 0, x * math.pi, x * np.pi)
    z = torch.where(y.max() > 1, y.to(torch.float32) + torch.e, y.to(torch.float32).masked_fill(y > 0, torch.inf))
    w = torch.where(
        z.min() > 0,
        torch.ones(3, dtype=torch.float32, device=x.device),
        torch.zeros((3,), dtype=torch.float32, device=x.device),
    )
    return w * z


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor]]:
    return [(torch.tensor(each, requires_grad=True),) for each in ([1.0, 2.0, 3.0], [-1.0, 0.0, 0.5], [-3.0, -2.0, 1.0])]
