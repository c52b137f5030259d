import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x.unsqueeze_(0)  # GM407
    x = x * 2
    x.unsqueeze_(0)
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
