import torch


def forward(
    x: torch.Tensor, y: torch.Tensor, mask: torch.Tensor | None = None, clip: bool = True
) -> tuple[torch.Tensor, torch.Tensor]:
    out = x * 2
    if mask is not None and not mask.all():  # GM101
        out = out.masked_fill(~mask, 0.0)
    bad = torch.isnan(out)
    if bad.sum() > 0:  # GM101
        filled = torch.zeros_like(out)
        out = torch.where(bad, filled, out)
    high = out > 2
    if clip and torch.any(high):  # GM101
        out = out.masked_fill(high, 2.0)
        y[high] = 1.0
        y.masked_fill_(high, 3.0)
    return out, y


def inputs() -> list[tuple[torch.Tensor, ...]]:
    up = torch.tensor([0.5, 2.0, float("nan")], requires_grad=True)
    low = torch.tensor([0.5, 0.25, 0.75], requires_grad=True)
    masks = [torch.tensor([True, False, True]), torch.tensor([True, True, True])]
    return [(x, torch.zeros(3), mask) for x in (up, low, up) for mask in masks] + [(low, torch.zeros(3))]


compiled = torch.compile(forward)
