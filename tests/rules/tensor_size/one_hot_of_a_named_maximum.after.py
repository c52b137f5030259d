import torch
import torch.nn.functional as F


def forward(x: torch.Tensor, n: int) -> torch.Tensor:
    kept = x.min() + 1
    rows = (x.unsqueeze(-1) == torch.arange(n, device=x.device)).to(torch.int64)
    return rows + (x.unsqueeze(-1) == torch.arange(n, device=x.device)).to(torch.int64) * kept


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([[0, 1], [2, 3]]), 4), (torch.tensor([0, 3, 3]), 4), (torch.tensor(1), 2)]
