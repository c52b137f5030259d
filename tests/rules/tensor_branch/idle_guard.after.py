import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2.0
    mask = y < 0
    y = y.masked_fill(mask, 0.0)
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
