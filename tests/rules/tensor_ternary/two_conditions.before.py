import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2.0 if x.sum() > 0 and x.max() < 2 else x * 3.0  # GM102
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
