"""A part of a condition that indexes a tensor with numbers is asked always, where the first part indexes it, too."""

import torch


def forward(points: torch.Tensor, tilt: torch.Tensor) -> torch.Tensor:
    x, y = points[..., 0], points[..., 1]
    if torch.any(tilt[..., 2] != 0) or torch.any(tilt[..., 3] != 0):  # GM101
        x = x * tilt[..., 2:3] + y
        y = y * 3
    if tilt[0, 0] > 0 and tilt[0, -1] < 1:  # GM101
        x = x * 2
    return torch.stack([x, y], -1)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    points = torch.randn(2, 5, 2, requires_grad=True)
    flat = torch.tensor([[0.1, 0.2, 0.0, 0.0]]).repeat(2, 1)
    return [(points, torch.rand(2, 4)), (points, flat), (points, -flat), (points, flat * float("nan"))]
