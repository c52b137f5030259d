import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * 2 if torch.cuda.device_count() > 1 else x + 1  # GM401


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
