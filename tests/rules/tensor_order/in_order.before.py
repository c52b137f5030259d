import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    low, high = sorted([x.sum(), y.mean()])  # GM107
    both = [high, low, x.max()]
    both.sort(reverse=True)  # GM107
    rows = [x, y, x * y]
    best = max(rows, key=lambda each: each.sum())  # GM107
    least = min(rows, key=torch.norm)  # GM107
    ranked = sorted(rows, key=lambda row: row.mean(), reverse=True)  # GM107
    first = sorted(both, key=lambda each: each)[0]  # GM107
    total = 0
    for each in sorted(x):  # GM107
        total = total * 2 + each
    nearest = min(x, key=lambda each: each.abs())  # GM107
    rows.sort(key=lambda row: -row.max())  # GM107
    last = max(rows, key=lambda row: torch.sum(row).item())  # GM107
    nearest = nearest + last.sum() + rows[0].sum() * 11
    return low * 2 + both[0] * 3 + best + least * 5 + ranked[1] * 7 + first + total + nearest


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x, y = torch.tensor([3.0, 1.0, -2.0], requires_grad=True), torch.tensor([0.5, 4.0, 1.0], requires_grad=True)
    return [(x, y), (y, x), (x, x), (-x.detach().half(), y.detach().half()), (x.detach() * 0, y.detach() * 0)]
