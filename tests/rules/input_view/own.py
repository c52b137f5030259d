import torch


def widen(y: torch.Tensor) -> torch.Tensor:
    return y.unsqueeze_(0)


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    y.unsqueeze_(0)
    x = x + 1
    x.unsqueeze_(0)
    x.add_(1)
    return widen(y) + x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
