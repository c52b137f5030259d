import torch
import torch.nn.functional as F


def forward(x: torch.Tensor) -> torch.Tensor:
    classes = max(x.max() + 1, 3)
    return F.one_hot(x, classes)  # GM202


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(4)]
