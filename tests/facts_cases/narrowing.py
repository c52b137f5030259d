import torch
from torch import is_tensor


@torch.compile
def main(x: torch.Tensor, mask: torch.Tensor | None = None, size: int | None = None, w: float | torch.Tensor = 1.0):
    if not is_tensor(w):
        g = w  # kind: constant
    a = mask  # kind: tensor | none
    if mask is None:
        b = mask  # kind: none
        mask = x > 0
    c = mask  # kind: tensor
    if size:
        d = size  # kind: constant
    e = size if size is not None else x.shape[0]  # kind: constant | size
    assert mask is not None
    if (half := x.shape[0]) > 2:
        f = half  # kind: size
    return x
