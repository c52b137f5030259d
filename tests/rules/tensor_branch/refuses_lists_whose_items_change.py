"""Refused: items of the list are changed in place afterwards, which the caller's tensors have to see; or not all items."""

import torch


def later(grads: list[torch.Tensor], scale: torch.Tensor) -> list[torch.Tensor]:
    if scale.sum() < 1:  # GM101
        grads = [g * scale.sum() for g in grads]
    for g in grads:
        g.add_(1)
    return grads


def some(grads: list[torch.Tensor], scale: torch.Tensor) -> list[torch.Tensor]:
    if scale.sum() < 1:  # GM101
        grads = [g * 2 for g in grads if g.dim() > 1]
    return grads


def others(grads: list[torch.Tensor], scale: torch.Tensor) -> list[torch.Tensor]:
    if scale.sum() < 1:  # GM101
        grads = [scale * 2 for _ in range(2)]
    return grads


def forward(grads: list[torch.Tensor], scale: torch.Tensor) -> list[list[torch.Tensor]]:
    return [later(grads, scale), some(grads, scale), others(grads, scale)]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [([torch.ones(3), torch.ones(2, 2)], torch.tensor([0.1, 0.2]))]
