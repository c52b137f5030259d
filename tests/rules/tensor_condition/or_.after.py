import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    outside = (x < 0).any() | (x > 1).any()
    return x * outside


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [
        torch.tensor([0.5, 2.0, 3.0], requires_grad=True),
        torch.tensor([-0.5, -2.0, 1.0], requires_grad=True),
        torch.full((3,), 0.5),
    ]
