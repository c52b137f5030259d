import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x.unsqueeze_(0)  # GM407
    return x * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
