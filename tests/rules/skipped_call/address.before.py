import torch


def aligned(x: torch.Tensor) -> torch.Tensor:
    return x if x.data_ptr() % 16 == 0 else x.clone()  # GM401


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    return aligned(x) + (y.contiguous() if y.data_ptr() % 4096 else y)  # GM401


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(8),), (torch.ones(8)[1:],)]
