import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():  # GM105
        raise ValueError("negative")
    elif x.dim() == 1:
        x = x * 2
    else:
        x = x * 3
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3), torch.ones(1, 2)]
