# all rules
"""A choice around work on the items of a list is made for each item."""

import torch


def clipped(grads: list[torch.Tensor], max_norm: float) -> list[torch.Tensor]:
    total = torch.norm(torch.stack([torch.norm(g, 2.0) for g in grads]), 2.0)
    coef = max_norm / (total + 1e-6)
    if coef < 1:  # GM101
        # too large
        grads = [g * coef for g in grads]
    return grads


def averaged(old: list[torch.Tensor], new: list[torch.Tensor], scale: torch.Tensor, enabled: bool = True):
    g = 3
    if enabled and scale.sum() > 0:  # GM101
        old = [a * 0.9 + b * 0.1 for a, b in zip(old, new)]
    return old, g


def either(named: dict[str, torch.Tensor], items: list[torch.Tensor], scale: torch.Tensor):
    if scale.max() > 1:  # GM101
        named = {key: value * 2 for key, value in named.items()}
    if scale.min() > 1:  # GM101
        out = [item * scale.max() for item in items]
    else:
        out = [item - 1 for item in items]
    return named, out


@torch.no_grad()
def scaled(grads: list[torch.Tensor], limit: float) -> list[torch.Tensor]:
    copies = [g.clone() for g in grads]
    total = torch.stack([g.norm() for g in copies]).norm()
    if total > limit:  # GM101
        for g in copies:
            g.mul_(limit / total)
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
