import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    low, high = torch.stack([x.sum(), y.mean()]).sort(dim=0, stable=True).values
    both = [high, low, x.max()]
    both[:] = torch.stack(both).sort(dim=0, stable=True, descending=True).values.unbind()
    rows = [x, y, x * y]
    best = torch.stack(rows)[torch.stack([each.sum() for each in rows]).flatten().argmax().reshape(1)].squeeze(0)
    least = torch.stack(rows)[torch.stack([torch.norm(item) for item in rows]).flatten().argmin().reshape(1)].squeeze(0)
    ranked = list(
        torch.stack(rows)[
            torch.stack([row.mean() for row in rows]).flatten().argsort(stable=True, descending=True)
        ].unbind()
    )
    first = torch.stack(both).sort(dim=0, stable=True).values[0]
    total = 0
    for each in x.sort(dim=0, stable=True).values:
        total = total * 2 + each
    nearest = x[torch.stack([each.abs() for each in x]).flatten().argmin().reshape(1)].squeeze(0)
    rows[:] = torch.stack(rows)[torch.stack([-row.max() for row in rows]).flatten().argsort(stable=True)].unbind()
    last = torch.stack(rows)[torch.stack([torch.sum(row) for row in rows]).flatten().argmax().reshape(1)].squeeze(0)
    nearest = nearest + last.sum() + rows[0].sum() * 11
    return low * 2 + both[0] * 3 + best + least * 5 + ranked[1] * 7 + first + total + nearest


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x, y = torch.tensor([3.0, 1.0, -2.0], requires_grad=True), torch.tensor([0.5, 4.0, 1.0], requires_grad=True)
    return [(x, y), (y, x), (x, x), (-x.detach().half(), y.detach().half()), (x.detach() * 0, y.detach() * 0)]
