# all rules
import torch


class Limited(torch.nn.Module):
    def __init__(self, limit: float = 1e-7) -> None:
        super().__init__()
        self.limit = limit
        self.conv = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        shape = torch.tensor(x.size())
        gib = shape.prod() * x.element_size() / 1024**3
        if gib < self.limit:  # GM101
            x = self.conv(x)
        return x, measured(x, y)


def measured(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    rows = torch.tensor([x.shape[0], y.shape[0]])
    if (rows > 2).all():  # GM101
        x = x + 1
    total = torch.tensor(x.shape).sum()
    z = x.reshape(-1) / total
    if total > 7 and x.dim() > 1:  # GM101
        z = z * 2
    if rows[0] != rows[1]:
        raise ValueError("differ")
    pad = torch.zeros(torch.tensor(y.shape).max())
    assert rows.min() > 0, f"empty {x.shape}"
    half = torch.tensor(x.shape[0]).float() / 2
    kept = z.sum() + pad.sum() + int(torch.prod(torch.as_tensor(x.shape[1:])))
    return kept if half > 1.5 else kept * 2


def forward(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return limited(x, y)


limited = Limited()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    torch.manual_seed(0)
    sizes = [(2, 2), (4, 4), (8, 8)]
    return [(torch.randn(a, 4), torch.randn(b, 4)) for a, b in sizes]
