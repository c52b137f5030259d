import torch


@torch.compile
def main(x: torch.Tensor, flag: bool, n: int):
    a = x if flag else n  # kind: constant | tensor
    b = [x, n]  # kind: container
    c = b[0]  # kind: tensor
    d = b[1]  # kind: constant
    e = b[n]  # kind: constant | tensor
    f = {"x": x, "n": n}["x"]  # kind: tensor
    g = (x, None)[1]  # kind: none
    h = x.shape  # kind: container
    i = x.shape[0]  # kind: size
    j = x.shape[0] + 1  # kind: size
    k = x.sum() > 0 or flag  # kind: constant | tensor
    return a, c, d, e, f, g, h, i, j, k
