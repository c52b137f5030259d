"""What a branch unpacks gets names of its own first, from which is then selected."""

import torch


def tilted(x: torch.Tensor, y: torch.Tensor, tau: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    c, s = torch.cos(tau).sum(-1, keepdim=True), torch.sin(tau).sum(-1, keepdim=True)
    return x * c + y * s, y * c - x * s


def forward(x: torch.Tensor, y: torch.Tensor, tau: torch.Tensor) -> list[torch.Tensor]:
    if torch.any(tau != 0):  # GM101
        x, y = tilted(x, y, tau)
    low, high = x, y + 1
    if tau.sum() > 0:  # GM101
        (low, high) = high, low
    near, far = x.abs(), y.abs()
    if tau.sum() > 1:  # GM101
        scale = near.mean()
        near, far = torch.minimum(near, far) * scale, torch.maximum(near, far)
    else:
        near, far = (
            near * 2,
            far * 2,
        )
    return [low - high, near, far]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, y = torch.randn(2, 5, requires_grad=True), torch.randn(2, 5)
    tau, nan = torch.rand(2, 2) + 0.5, torch.full((2, 2), float("nan"))
    half = (x.detach().half(), y.half(), -tau.half())
    return [(x, y, tau), (x, y, -tau), (x, y, tau * 0), (x, x, tau), (x, y, nan), half, (x[:0], y[:0], tau[:0])]
