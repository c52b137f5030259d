"""NumPy's functions that select, read or describe: of an array they break, of Python's numbers they do not."""

import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = (x + 1).numpy()
    kept = np.unique(y)  # GM401
    rows = np.where(y > 2)  # GM401
    y = np.where(y > 2, y, 0)
    if np.ndim(y) == 1:  # GM401
        y = np.pad(y, 1)  # GM401
    if np.isscalar(3) and np.ndim(2.0) == 0:
        y = y * 2
    return x + y.sum() + kept.shape[0] + len(rows)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
