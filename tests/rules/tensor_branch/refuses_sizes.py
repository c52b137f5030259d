import torch


def forward(x: torch.Tensor, n: int) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        y = torch.zeros(n)
    else:
        y = torch.zeros(n, 1)
    return x + y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, int]]:
    return [(torch.ones(3, 3), 3), (-torch.ones(3, 3), 3)]
