import torch


@torch.compile
def main(x: torch.Tensor):
    b, n, *rest = x.shape
    a = b  # kind: size
    c = rest  # kind: container
    values, indices = x.max(dim=0)
    d = values  # kind: tensor
    e = indices  # kind: tensor
    f = x.max()  # kind: tensor 0-dim
    g = x.topk(2).indices  # kind: tensor
    q, k = x.chunk(2)
    h = k  # kind: tensor
    (i, j), m = (1, x), None
    o = i  # kind: constant
    p = j  # kind: tensor
    r = m  # kind: none
    s, t, u, v = *x.shape, 3, x  # one star: exact from both ends
    w = s  # kind: size
    y = u  # kind: constant
    z = v  # kind: tensor
    aa, *bb, cc = *x.shape, x.dtype, x
    dd = bb  # kind: container
    ee = cc  # kind: tensor
    return q
