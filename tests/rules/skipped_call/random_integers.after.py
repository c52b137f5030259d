import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x + torch.randint(0, 5, (2, x.shape[0]))


compiled = torch.compile(forward)


def inputs():
    torch.manual_seed(0)
    return [(torch.ones(2),), (torch.ones(3),)]
