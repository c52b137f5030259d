"""Branches that only scale tensors in place."""

import torch


def clip(grads: list[torch.Tensor], limit: float) -> torch.Tensor:
    total = torch.stack([each.norm() for each in grads]).norm()
    share = limit / (total + 1e-6)
    if share < 1:  # GM101
        for each in grads:  # all of them
            each.mul_(share)
    return total


def unscale(x: torch.Tensor, scale: torch.Tensor, on: bool) -> torch.Tensor:
    x = x * 2
    if on and scale > 1:  # GM101
        x /= scale
    return x


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor, scale: torch.Tensor) -> tuple[torch.Tensor, ...]:
        grads = [x * 1, y * 1]
        total = clip(grads, 2.0)
        return *grads, total, unscale(x, scale, True), unscale(y, scale, False)


forward = Model()


def inputs() -> list[object]:
    x, y = torch.tensor([3.0, -4.0, 0.0]), torch.tensor([12.0])
    nan = torch.tensor([float("nan"), 1.0, -0.0])
    scales = [torch.tensor(each) for each in (4.0, float("inf"), 0.0)]
    return [(x, y, scales[0]), (x / 16, y / 16, scales[1]), (nan, y, scales[2]), (x * float("inf"), y, scales[0])]
