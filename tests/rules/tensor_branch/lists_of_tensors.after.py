# all rules
"""A choice around work on the items of a list is made for each item."""

import torch


def clipped(grads: list[torch.Tensor], max_norm: float) -> list[torch.Tensor]:
    total = torch.norm(torch.stack([torch.norm(g, 2.0) for g in grads]), 2.0)
    coef = max_norm / (total + 1e-6)
    # too large
    condition = coef < 1
    grads = [torch.where(condition, g * coef, g) for g in grads]
    return grads


def averaged(old: list[torch.Tensor], new: list[torch.Tensor], scale: torch.Tensor, enabled: bool = True):
    g = 3
    if enabled:
        condition = scale.sum() > 0
        old = [torch.where(condition, a * 0.9 + b * 0.1, a) for a, b in zip(old, new)]
    return old, g


def either(named: dict[str, torch.Tensor], items: list[torch.Tensor], scale: torch.Tensor):
    condition = scale.max() > 1
    named = {key: torch.where(condition, value * 2, value) for key, value in named.items()}
    condition = scale.min() > 1
    out = [torch.where(condition, item * scale.max(), item - 1) for item in items]
    return named, out


@torch.no_grad()
def scaled(grads: list[torch.Tensor], limit: float) -> list[torch.Tensor]:
    copies = [g.clone() for g in grads]
    total = torch.stack([g.norm() for g in copies]).norm()
    condition = total > limit
    for g in copies:
        g.copy_(torch.where(condition, g * (limit / total), g))
    return copies


def forward(xs: list[torch.Tensor], scale: torch.Tensor) -> list[object]:
    xs = clipped(xs, 4.0)
    xs, _ = averaged(xs, [x + 1 for x in xs], scale)
    named, xs = either({"a": xs[0]}, xs, scale)
    return [named, xs, scaled(xs, 2.0)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    xs, scale = [torch.ones(3), torch.linspace(-1, 1, 4).reshape(2, 2)], torch.tensor([0.5, 1.0])
    large = [x * 9 for x in xs]
    return [(xs, scale), (large, scale * 4), (xs, -scale), (large, scale + 1), (xs, scale)]
