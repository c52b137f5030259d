import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = torch.where(x.sum() != 0, x * 2.0, x * 3.0)
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [
        torch.tensor([0.5, 2.0, 3.0], requires_grad=True),
        torch.tensor([-0.5, -2.0, 1.0], requires_grad=True),
        torch.zeros(3),
    ]
