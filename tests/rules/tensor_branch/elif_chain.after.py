import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    s = x.sum()
    y = torch.where(s > 2, x * 2.0, torch.where(s < -1, x * 3.0, x * 4.0))
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [
        torch.tensor([0.5, 2.0, 3.0], requires_grad=True),
        torch.tensor([-0.5, -2.0, 1.0], requires_grad=True),
        torch.zeros(3),
    ]
