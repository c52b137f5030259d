import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.mean() > 0:  # GM101
        half = x * 0.5
        y = half + 1.0
    else:
        y = x * 3.0
    half = y * 0.25
    return y + half


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
