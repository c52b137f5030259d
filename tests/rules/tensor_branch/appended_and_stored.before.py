import torch


def forward(x: torch.Tensor, scale: torch.Tensor) -> tuple[torch.Tensor, dict[str, torch.Tensor], torch.Tensor]:
    kept, found = [], {}
    rows = torch.zeros_like(x)
    for i in range(x.shape[0]):
        if x[i].sum() > 0:  # GM101
            kept.append(x[i] * 2)
            kept.append(x[i] + scale)
            rows[i] = x[i].tanh()
        else:
            kept.append(x[i] * 3)
            kept.append(x[i] - scale)
            rows[i] = x[i] * scale
    if scale > 1:  # GM101
        found["a"] = x + 1
        rows[...] = 0
    else:
        found["a"] = x - 1
    if x.min() < 0:  # GM101
        rows[:, :1] = x[:, 1:]
    return torch.stack(kept), found, rows


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    rows = torch.tensor([[1.0, 0.5], [2.0, -4.0]], requires_grad=True)
    return [(each, torch.tensor(s, requires_grad=True)) for each in (rows, -rows, rows) for s in (0.5, 2.0)]


compiled = torch.compile(forward)
