import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.shape[0] % np.lcm(2, 3) == 0:  # GM101
        x = x + 1
    if np.abs(x.shape[0] / 3) > 2:  # GM101
        x = x + 1
    return x * np.gcd(x.shape[0], 2)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(6),)]
