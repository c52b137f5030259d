import torch


def forward(x: torch.Tensor, rows: torch.Tensor, n: torch.Tensor) -> tuple[torch.Tensor, ...]:
    mask = x > 0
    keep = rows > 0
    total = x[mask].sum()  # GM501
    total = total + torch.sum((x * 2)[mask])  # GM501
    total = total - x[keep].sum(dtype=torch.float64)  # GM501
    total = total + torch.masked_select(x, keep[:, None]).sum()  # GM501
    count = n[n > 2].sum()  # GM501
    some = x[mask].any()  # GM501
    return total, count, some, x[keep].all()  # GM501


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[1.0, -2.0], [float("nan"), 4.0]], requires_grad=True)
    n = torch.tensor([1, 2, 3], dtype=torch.uint8)
    return [(x, torch.tensor([1, 0]), n), (x, torch.tensor([0, 0]), n), (-x, torch.tensor([0, 1]), n > 1)]
