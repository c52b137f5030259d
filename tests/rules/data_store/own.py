import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    y.data = x  # GM409
    return y


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
