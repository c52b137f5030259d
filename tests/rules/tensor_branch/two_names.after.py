import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    condition = x.mean() > 0
    a = torch.where(condition, x * 2.0, x * 3.0)
    b = torch.where(condition, x + 1.0, x - 1.0)
    return a * b


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
