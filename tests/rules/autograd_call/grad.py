import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return torch.autograd.grad((x * 2).sum(), x)[0]  # GM403


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3, requires_grad=True)]
