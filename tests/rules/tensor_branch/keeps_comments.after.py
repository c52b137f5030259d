import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    # keep the sign of the sum
    # the other way
    y = torch.where(x.sum() > 0, x * 2.0, x * 0.5)
    return y + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
