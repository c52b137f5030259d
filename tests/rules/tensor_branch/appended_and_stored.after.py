import torch


def forward(x: torch.Tensor, scale: torch.Tensor) -> tuple[torch.Tensor, dict[str, torch.Tensor], torch.Tensor]:
    kept, found = [], {}
    rows = torch.zeros_like(x)
    for i in range(x.shape[0]):
        condition = x[i].sum() > 0
        kept.append(torch.where(condition, x[i] * 2, x[i] * 3))
        kept.append(torch.where(condition, x[i] + scale, x[i] - scale))
        rows[i] = torch.where(condition, x[i].tanh(), x[i] * scale)
    condition = (scale > 1).reshape(())
    found["a"] = torch.where(condition, x + 1, x - 1)
    rows[...] = torch.where(condition, 0, rows)
    rows[:, :1] = torch.where(x.min() < 0, x[:, 1:], rows[:, :1])
    return torch.stack(kept), found, rows


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    rows = torch.tensor([[1.0, 0.5], [2.0, -4.0]], requires_grad=True)
    return [(each, torch.tensor(s, requires_grad=True)) for each in (rows, -rows, rows) for s in (0.5, 2.0)]


compiled = torch.compile(forward)
