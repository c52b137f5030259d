import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        if x.max() > 2:  # GM101
            y = x * 2.0
        else:
            y = x * 3.0
    else:
        y = x * 4.0
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.5]), torch.ones(2), -torch.ones(2)]
