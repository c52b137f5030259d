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
    condition = x.sum() > 0
    y = torch.where(condition, first * 2.0, first * 3.0)
    z = torch.where(condition, third + second, third - second)
    if long:
        x = torch.where(x.sum() > 1, fourth * 2, x)
    return x + y + z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3), torch.ones(2, 2, 2)]
