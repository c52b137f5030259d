import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x if x.data_ptr() else x.clone()


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(8),)]
