import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    joined = torch.cat([x, torch.arange(n)])
    n = n + 1
    early = F.one_hot(joined)  # GM501
    later = F.one_hot(torch.cat([x, torch.arange(1, n)]))  # GM501
    return early, later


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([0, 2]), 3)]
