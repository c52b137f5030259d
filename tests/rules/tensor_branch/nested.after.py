import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = torch.where(x.sum() > 0, torch.where(x.max() > 2, x * 2.0, x * 3.0), x * 4.0)
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.5]), torch.ones(2), -torch.ones(2)]
