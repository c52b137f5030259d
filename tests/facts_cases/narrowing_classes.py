import torch


@torch.compile
def main(x: torch.Tensor, parts: torch.Tensor | list[torch.Tensor], scale: float | torch.Tensor = 1.0):
    if isinstance(parts, (list, tuple)):
        a = parts  # kind: container
    else:
        b = parts  # kind: tensor
    if isinstance(scale, float):
        c = scale  # kind: constant
    if torch.is_tensor(scale):
        d = scale  # kind: tensor
    return x
