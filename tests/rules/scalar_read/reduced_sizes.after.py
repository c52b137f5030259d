import numpy as np
import torch

import math


def forward(x: torch.Tensor) -> torch.Tensor:
    flat = x.view(math.prod(x.shape))
    rows = x.reshape(math.prod(x.shape[:-1]), -1)
    rows = rows * sum(x.shape)
    rows = rows + max([3, 4])
    return flat.sum() + rows / np.sqrt(x.shape[-1]) * int(np.ceil(x.shape[0] / 2))


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2, 3),), (torch.ones(1, 2, 4),), (torch.ones(2, 3, requires_grad=True),)]
