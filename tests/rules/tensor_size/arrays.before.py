import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    width = np.sum([2, 2])
    return x + torch.from_numpy(np.zeros((1, width)))  # GM202


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(4.0)]
