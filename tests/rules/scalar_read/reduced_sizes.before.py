import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    flat = x.view(int(np.prod(x.shape)))  # GM201
    rows = x.reshape(int(np.prod(x.shape[:-1])), -1)  # GM201
    rows = rows * int(np.sum(x.shape))  # GM201
    rows = rows + int(np.max([3, 4]))  # GM201
    return flat.sum() + rows / np.sqrt(x.shape[-1]) * int(np.ceil(x.shape[0] / 2))


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2, 3),), (torch.ones(1, 2, 4),), (torch.ones(2, 3, requires_grad=True),)]
