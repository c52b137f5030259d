import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, n: int) -> torch.Tensor:
    largest = x.max() + 1
    first = (x.unsqueeze(-1) == torch.arange(n, device=x.device)).to(torch.int64)
    return first + (x.unsqueeze(-1) == torch.arange(n, device=x.device)).to(torch.int64).float()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([[0, 1], [2, 7]]), 4), (torch.tensor([0, 3, 3]), 4), (torch.tensor(1), 2)]
