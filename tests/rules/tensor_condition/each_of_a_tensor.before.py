# all rules
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    found = any(x > 1)  # GM104
    y = x * 2
    if found:
        y = y + 1
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([0.0, 2.0]),), (torch.tensor([0.0, 1.0]),)]
