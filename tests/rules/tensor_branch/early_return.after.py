import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    condition = x.sum() > 0
    y = x * 3.0
    return torch.where(condition, x * 2.0, y * 0.5)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
