"""A part of a condition that indexes a tensor with numbers is asked always, where the first part indexes it, too."""

import torch


def forward(points: torch.Tensor, tilt: torch.Tensor) -> torch.Tensor:
    x, y = points[..., 0], points[..., 1]
    condition = torch.any(tilt[..., 2] != 0) | torch.any(tilt[..., 3] != 0)
    x = torch.where(condition, x * tilt[..., 2:3] + y, x)
    y = torch.where(condition, y * 3, y)
    x = torch.where((tilt[0, 0] > 0).reshape(()) & (tilt[0, -1] < 1).reshape(()), x * 2, x)
    return torch.stack([x, y], -1)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    points = torch.randn(2, 5, 2, requires_grad=True)
    flat = torch.tensor([[0.1, 0.2, 0.0, 0.0]]).repeat(2, 1)
    return [(points, torch.rand(2, 4)), (points, flat), (points, -flat), (points, flat * float("nan"))]
