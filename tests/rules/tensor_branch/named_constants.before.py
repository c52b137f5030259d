import math

import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        y = x * math.pi
    else:
        y = x * np.pi
    if y.max() > 1:  # GM101
        z = y.to(torch.float32) + torch.e
    else:
        z = y.to(torch.float32).masked_fill(y > 0, torch.inf)
    if z.min() > 0:  # GM101
        w = torch.ones(3, dtype=torch.float32, device=x.device)
    else:
        w = torch.zeros((3,), dtype=torch.float32, device=x.device)
    return w * z


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor]]:
    return [(torch.tensor(each, requires_grad=True),) for each in ([1.0, 2.0, 3.0], [-1.0, 0.0, 0.5], [-3.0, -2.0, 1.0])]
