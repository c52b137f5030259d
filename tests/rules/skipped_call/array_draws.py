"""torch's NumPy has few distributions."""

import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    chosen = torch.from_numpy(np.random.binomial(1, 0.5, size=3))  # GM401
    later = np.random.exponential(1.0, 3)  # GM401
    later = later + np.random.poisson(2.0, 3)  # GM401
    return x + chosen + torch.from_numpy(later) + np.random.random_sample()  # GM401


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
