import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x * 2
    return x if x.data_ptr() % 16 == 0 else x + 1  # GM401


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(8),)]
