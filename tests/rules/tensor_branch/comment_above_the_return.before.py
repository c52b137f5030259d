import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    # nothing is above zero
    if not torch.any(y > 0):  # GM101
        return torch.zeros_like(y).sum()

    # the sum over all of it
    return y.sum()  # one number


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0]), torch.tensor([-0.5, -2.0])]
