import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    s = x.sum()
    if s > 2:  # GM101
        y = x * 2.0
    elif s < -1:  # GM101
        y = x * 3.0
    else:
        y = x * 4.0
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [
        torch.tensor([0.5, 2.0, 3.0], requires_grad=True),
        torch.tensor([-0.5, -2.0, 1.0], requires_grad=True),
        torch.zeros(3),
    ]
