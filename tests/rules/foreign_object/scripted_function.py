import torch


def plus(x: torch.Tensor) -> torch.Tensor:
    return x + 1


scripted = torch.jit.script(plus)


def forward(x: torch.Tensor) -> torch.Tensor:
    return scripted(x) * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
