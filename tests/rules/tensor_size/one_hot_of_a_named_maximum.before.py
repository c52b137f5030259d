import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, n: int) -> torch.Tensor:
    largest = x.max() + 1
    kept = x.min() + 1
    rows = F.one_hot(x, max(largest + 1, n))[..., :n]  # GM202
    return rows + F.one_hot(x, max(kept, n))[..., :n] * kept  # GM202


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([[0, 1], [2, 3]]), 4), (torch.tensor([0, 3, 3]), 4), (torch.tensor(1), 2)]
