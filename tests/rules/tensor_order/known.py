import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    shapes = sorted([x.shape[0], 1])
    first = sorted([x, x + 1], key=lambda each: each.shape[0])[0]
    largest = max([x.sum(), x.mean()])
    return first * shapes[0] + largest + [x, first].index(x)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
