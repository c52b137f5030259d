import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, n: int) -> torch.Tensor:
    classes = max(x.max() + 1, n)
    n = n - 1
    first = F.one_hot(x, classes)[..., :n]  # GM202
    second = F.one_hot(x, x.max() + 1)[..., :n]  # GM202
    third = F.one_hot(x * 1, max(x.max() + 1, 2))[..., :2]  # GM202
    fourth = F.one_hot(x, max(x.max() + 1, n))[:, :n]  # GM202
    return first.sum() + second.sum() + third.sum() + fourth.sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([0, 3]), 3)]
