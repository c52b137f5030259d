import math

import numpy as np
import torch


@torch.compile
def main(x: torch.Tensor, n: int):
    a = x.sum().item()  # kind: scalar
    b = int(x.sum())  # kind: scalar
    c = float(n)  # kind: constant
    d = x.tolist()  # kind: container
    e = d[0]  # kind: scalar
    f = math.ceil(x.shape[0] / 2)  # kind: size
    g = math.sqrt(x.sum())  # kind: scalar
    h = max(x.sum(), 1)  # kind: tensor
    i = len(x)  # kind: size
    j = x.numpy()  # kind: ndarray
    k = np.sum([1, n])  # kind: ndarray
    m = np.arange(3)[0]  # kind: ndarray
    o = int(k)  # kind: scalar
    p = a > 0  # kind: scalar
    q = torch.equal(x, x)  # kind: scalar
    return a
