# all rules
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    found = (x > 1).any()
    y = x * 2
    y = torch.where(found, y + 1, y)
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([0.0, 2.0]),), (torch.tensor([0.0, 1.0]),)]
