"""A second test of a name for None tells which of two values another name has."""

import torch


@torch.compile
def main(x: torch.Tensor, position=None, mask=None, start: torch.Tensor | None = None):
    if position is not None:
        past = position[0]
    else:
        past = 0
    either = past  # kind: unknown
    if position is None:
        a = past  # kind: constant
        past = x.sum()
    b = past  # kind: unknown
    if start is None:
        offset, scale = 0, x
    else:
        offset, scale = start, 2
    c = offset  # kind: constant | tensor
    d = (offset, scale) if start is None else (scale, offset)  # kind: container
    if start is not None:
        e = offset  # kind: tensor
        f = scale  # kind: constant
    else:
        e = offset  # kind: constant
        f = scale  # kind: tensor
    start = x if mask is None else None
    if start is not None:
        g = offset  # kind: constant | tensor
    else:
        g = scale  # kind: constant | tensor
    return either, a, b, c, d, e, f, g


@torch.compile
def bound_again(x: torch.Tensor, position: torch.Tensor | None = None):
    if position is None:
        past = 0
    else:
        past = position[0]
    for _ in range(3):
        if position is None:
            a = past  # kind: constant | tensor
            past = past + x.sum()
        else:
            b = past  # kind: constant | tensor
    return a, b, past
