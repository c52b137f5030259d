import torch


@torch.compile
def main(x: torch.Tensor, flag: bool = False):
    if x is None:
        return 0  # not reached
    if isinstance(x, (list, tuple)):
        x = x[0]  # not reached
    if not isinstance(x, torch.Tensor):
        raise TypeError("a tensor")  # not reached
    if torch.is_tensor(x):
        y = x.sum()  # kind: tensor 0-dim
    if flag:
        y = y + 1  # kind: tensor 0-dim
    return y
