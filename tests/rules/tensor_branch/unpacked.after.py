"""What a branch unpacks gets names of its own first, from which is then selected."""

import torch


def tilted(x: torch.Tensor, y: torch.Tensor, tau: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    c, s = torch.cos(tau).sum(-1, keepdim=True), torch.sin(tau).sum(-1, keepdim=True)
    return x * c + y * s, y * c - x * s


def forward(x: torch.Tensor, y: torch.Tensor, tau: torch.Tensor) -> list[torch.Tensor]:
    new_x, new_y = tilted(x, y, tau)
    condition = torch.any(tau != 0)
    x = torch.where(condition, new_x, x)
    y = torch.where(condition, new_y, y)
    low, high = x, y + 1
    new_low, new_high = high, low
    is_true = tau.sum() > 0
    low = torch.where(is_true, new_low, low)
    high = torch.where(is_true, new_high, high)
    near, far = x.abs(), y.abs()
    scale = near.mean()
    new_near, new_far = torch.minimum(near, far) * scale, torch.maximum(near, far)
    other_near, other_far = (
        near * 2,
        far * 2,
    )
    selected = tau.sum() > 1
    near = torch.where(selected, new_near, other_near)
    far = torch.where(selected, new_far, other_far)
    return [low - high, near, far]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, y = torch.randn(2, 5, requires_grad=True), torch.randn(2, 5)
    tau, nan = torch.rand(2, 2) + 0.5, torch.full((2, 2), float("nan"))
    half = (x.detach().half(), y.half(), -tau.half())
    return [(x, y, tau), (x, y, -tau), (x, y, tau * 0), (x, x, tau), (x, y, nan), half, (x[:0], y[:0], tau[:0])]
