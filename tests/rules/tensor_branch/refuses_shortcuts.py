import torch


def other_result(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    out = torch.zeros_like(x)
    if not mask.any():  # GM101
        return x
    out[mask] = x[mask] * 2
    return out


def over_rows(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    if not mask.any():  # GM101
        return out
    out[mask] = x[mask].softmax(0)
    return out


def other_values(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    if mask.all():  # GM101
        return x * 3
    out[mask] = x[mask] * 2
    return out


def counted(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    out = x.clone()
    if not mask.any():  # GM101
        return out
    out[mask] = x[mask] * 2
    out = out / mask.sum()
    return out


def drawn(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    if mask.all():  # GM101
        return x * 2
    out = torch.rand_like(x)
    out[mask] = x[mask] * 2
    return out * 0


def changed_first(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    if not mask.any():  # GM101
        return x
    x = x + 1
    out = x.clone()
    out[mask] = x[mask] * 2
    return out


def in_place(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    if mask.all():  # GM101
        return x * 2
    out = x
    out[mask] = x[mask] * 2
    return out


def forward(x: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = scores > 0
    return other_result(x, mask) + over_rows(x, mask) + other_values(x, mask) + counted(x, mask) + in_place(x, mask) + changed_first(x, mask) + drawn(x, mask)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.ones(3, 2)
    return [(x, torch.zeros(3)), (x, torch.tensor([1.0, 0.0, 1.0]))]
