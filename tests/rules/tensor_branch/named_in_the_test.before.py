import torch


def either(x: torch.Tensor) -> torch.Tensor:
    if (large := x.sum() > 2):  # GM101
        y = x * 2
        return y
    y = x + 1
    return y - large.float()


def forward(x: torch.Tensor) -> torch.Tensor:
    if (positive := x.sum() > 0):  # GM101
        y = (x + 1) ** 0.5
    else:
        y = x
    return y * positive + either(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor(row, requires_grad=True) for row in ([1.0, 2.0], [0.5, 0.5], [-1.0, -2.0], [1.0, 2.0])]
