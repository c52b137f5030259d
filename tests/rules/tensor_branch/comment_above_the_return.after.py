import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    # nothing is above zero
    # the sum over all of it
    # one number
    return torch.where(~torch.any(y > 0), torch.zeros_like(y).sum(), y.sum())


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0]), torch.tensor([-0.5, -2.0])]
