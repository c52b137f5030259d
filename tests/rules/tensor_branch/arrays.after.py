import numpy as np
import torch


def settle(options: np.ndarray) -> np.ndarray:
    out = np.zeros(options.shape[0])
    low = np.ones((options.shape[0], 2))
    for i in range(options.shape[0]):
        row = options[i]
        out[i] = np.where(np.count_nonzero(row) == 1, np.argmax(row) + 1, out[i])
        low[i, 0] = np.where(
            np.logical_not(row.any()),
            -1.0,
            low[i, 0] + (row.sum() * 2),
        )
    out = np.where(out.max() > 2, out * 2, out)
    return out + low[:, 0]


def forward(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(settle(x.numpy()))


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [
        torch.tensor([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 1.0, 0.0]]),
        torch.tensor([[0.0, 1.0, 1.0], [0.0, 2.0, 0.0], [1.0, 1.0, 0.0]]),
    ]
