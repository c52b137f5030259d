import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    low, high = sorted([x.sum(), x.mean()])  # GM107
    (alone,) = sorted([x.sum()])  # GM107
    both = [low, high]
    both.sort()  # GM107
    best = max([x, x + 1], key=lambda each: each.sum())  # GM107
    return alone + best * [1, 2, 3].index(high)  # GM107


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
