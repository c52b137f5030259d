import numpy as np
import torch


def settle(options: np.ndarray) -> np.ndarray:
    out = np.zeros(options.shape[0])
    if options.max() > 1:  # GM101
        out[0] = np.sqrt(options[0, 0])
    if options.min() > 1:  # GM101
        out[0] = 2.0
        out[1] = out[0] + 1
    if options.mean() > 1:  # GM101
        options = options / 255.0
    return out + options[0, 0]


def forward(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(settle(x.numpy()))


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 2), torch.ones(2, 2) * 3]
