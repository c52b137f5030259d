# all rules
import torch

import math


class Limited(torch.nn.Module):
    def __init__(self, limit: float = 1e-7) -> None:
        super().__init__()
        self.limit = limit
        self.conv = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        shape = x.size()
        gib = math.prod(shape) * x.element_size() / 1024**3
        if gib < self.limit:
            x = self.conv(x)
        return x, measured(x, y)


def measured(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    rows = [x.shape[0], y.shape[0]]
    if all(size > 2 for size in rows):
        x = x + 1
    total = sum(x.shape)
    z = x.reshape(-1) / total
    if total > 7 and x.dim() > 1:
        z = z * 2
    if rows[0] != rows[1]:
        raise ValueError("differ")
    pad = torch.zeros(max(y.shape))
    assert min(rows) > 0, f"empty {x.shape}"
    half = x.shape[0] / 2
    kept = z.sum() + pad.sum() + int(math.prod(x.shape[1:]))
    return kept if half > 1.5 else kept * 2


def forward(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return limited(x, y)


limited = Limited()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    torch.manual_seed(0)
    sizes = [(2, 2), (4, 4), (8, 8)]
    return [(torch.randn(a, 4), torch.randn(b, 4)) for a, b in sizes]
