import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    total = torch.zeros(3, requires_grad=True)  # GM403
    y = x * 2
    y.requires_grad = True  # GM403
    return y + total + torch.ones(3, requires_grad=False)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3)]
