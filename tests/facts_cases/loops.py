import torch


@torch.compile
def main(x: torch.Tensor, steps: int):
    total = 0  # kind: constant
    start = 0
    for size in [x.sum(), x.mean()]:
        a = size  # kind: tensor 0-dim
        b = start  # kind: constant | tensor
        start = start + size
        total += x
    c = total  # kind: constant | tensor
    for row, (left, right) in enumerate(zip(x, [1, 2])):
        d = row  # kind: constant
        e = left  # kind: tensor
        f = right  # kind: constant
    while steps > 0:
        steps -= 1  # reached
    g = [t.sum() for t in x]  # kind: container
    h = g[0]  # kind: tensor 0-dim
    for i in range(x.shape[0]):
        j = i  # kind: size
    return c
