import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.dim() == 1:
        first = x + 1
    elif x.dim() == 2:
        raise ValueError("x must have another number of dimensions")
    else:
        first = x - 1
    for part in (first, x):
        second = part * 2
    with torch.no_grad():
        third = x * 3
    long = x.dim() > 2
    if long:
        fourth = x * 4
    if x.sum() > 0:  # GM101
        y = first * 2.0
        z = third + second
    else:
        y = first * 3.0
        z = third - second
    if long and x.sum() > 1:  # GM101
        x = fourth * 2
    return x + y + z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3), torch.ones(2, 2, 2)]
