import torch


def forward(x: torch.Tensor, rows: torch.Tensor, n: torch.Tensor) -> tuple[torch.Tensor, ...]:
    mask = x > 0
    keep = rows > 0
    total = torch.where(mask, x, 0).sum()
    total = total + torch.sum(torch.where(mask, x * 2, 0))
    total = total - x.index_put((~keep,), x.new_zeros(())).sum(dtype=torch.float64)
    total = total + torch.where(keep[:, None], x, 0).sum()
    count = torch.where(n > 2, n, 0).sum()
    some = torch.where(mask, x, 0).any()
    return total, count, some, x.index_put((~keep,), x.new_ones(())).all()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[1.0, -2.0], [float("nan"), 4.0]], requires_grad=True)
    n = torch.tensor([1, 2, 3], dtype=torch.uint8)
    return [(x, torch.tensor([1, 0]), n), (x, torch.tensor([0, 0]), n), (-x, torch.tensor([0, 1]), n > 1)]
