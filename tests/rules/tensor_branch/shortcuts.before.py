# all rules
import torch


def doubled(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 0
    if not mask.any():  # GM101
        return x
    out = x.clone()
    out[mask] = torch.relu(x[mask]) * 2
    return out


def kept(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 1
    out = torch.zeros_like(x)
    if mask.sum() == 0:  # GM101
        return out
    rows = x[mask]
    out[mask] = rows.sigmoid()
    return out


def either(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 2
    if mask.all():  # GM101
        return torch.sin(x) + 1
    if mask.any():  # GM101
        out = x.clone()
        out[mask] = torch.sin(x[mask]) + 1
        return out
    return x


def by_row(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 0
    if mask.all():  # GM101
        return torch.cos(x)
    elif not mask.any():  # GM101
        return x
    out = x.clone()
    out[mask] = torch.cos(x[mask])
    return out


def forward(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    return doubled(x, scores) + kept(x, scores) * either(x, scores) + by_row(x, scores)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.arange(6.0).reshape(3, 2).requires_grad_()
    rows = [[0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [3.0, 3.0, 3.0], [3.0, float("nan"), 0.0]]
    return [(x, torch.tensor(each)) for each in rows] + [(x, torch.ones(3, 2)), (x[:0], torch.ones(0))]
