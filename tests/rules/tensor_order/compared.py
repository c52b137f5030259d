import torch


def forward(x: torch.Tensor, down: bool = True) -> torch.Tensor:
    low, high = sorted([x.sum(), x.mean()], reverse=down)  # GM107
    best = max([x, x + 1], key=lambda each: each.sum())  # GM107
    return low + best * [1, 2, 3].index(high)  # GM107


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
