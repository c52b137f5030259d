import torch


def check(x):
    if x.dim() != 2:
        raise ValueError(f"{x.sum()}")  # reached
    return x  # kind: tensor


@torch.compile
def main(x: torch.Tensor):
    try:
        y = check(x)  # kind: tensor
    except ValueError:
        y = None
    a = y  # kind: tensor | none
    with torch.no_grad():
        b = x.sum()  # kind: tensor 0-dim
    match x.dim():
        case 2:
            c = b  # kind: tensor 0-dim
    return a
    return x  # not reached
