import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.mean() > 0:  # GM101
        a = x * 2.0
        b = x + 1.0
    else:
        a = x * 3.0
        b = x - 1.0
    return a * b


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
