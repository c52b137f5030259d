import numpy as np
import torch


def settle(options: np.ndarray) -> np.ndarray:
    out = np.zeros(options.shape[0])
    low = np.ones((options.shape[0], 2))
    for i in range(options.shape[0]):
        row = options[i]
        if np.count_nonzero(row) == 1:  # GM101
            out[i] = np.argmax(row) + 1
        if not row.any():  # GM101
            low[i, 0] = -1.0
        else:
            low[i, 0] += row.sum() * 2
    if out.max() > 2:  # GM101
        out = out * 2
    return out + low[:, 0]


def forward(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(settle(x.numpy()))


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [
        torch.tensor([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]),
        torch.tensor([[0.0, 1.0, 1.0], [0.0, 2.0, 0.0], [1.0, 1.0, 0.0]]),
    ]
