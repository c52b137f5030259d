import torch


def forward(x: torch.Tensor, scale: torch.Tensor) -> tuple[torch.Tensor, object]:
    total = x.sum()
    if total > 0:  # GM101
        rows = 1.0
    else:
        rows = x * 2
    if total > 1:  # GM101
        count = 1.0
    else:
        count = torch.count_nonzero(x)
    if total > 2:  # GM101
        ratio = 1.0
    else:
        ratio = total * 0.5
    if total > 3:  # GM101
        other = 1.0
    else:
        other = scale / 2
    return x * rows * count * other, ratio


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([1.0, 2.0, 3.0]), torch.ones(3)), (torch.tensor([-1.0, -2.0, 3.0]), torch.ones(3))]
