import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = (x * 2).detach().requires_grad_()  # GM403
    return y + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
