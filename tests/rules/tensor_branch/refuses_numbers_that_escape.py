import torch


def forward(x: torch.Tensor, start: int = 0) -> torch.Tensor:
    n = 0
    total = 0.0
    for i in range(3):
        if x[i] > 0:  # GM101
            n += 1
        if x[i] > 1:  # GM101
            total += 0.1
    if x[0] > 0:  # GM101
        start += 1
    m = 1
    if x[0] > 1:  # GM101
        m += 1
    return x[m] * total + x * start + (1 if n > 1 else 2)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.tensor([1.0, 2.0, -3.0]),)]
