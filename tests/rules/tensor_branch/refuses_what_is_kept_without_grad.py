"""Gradients are off, and a tensor is passed on that somebody may keep: it would no longer require grad."""

import torch


def forward(x: torch.Tensor, grad: torch.Tensor) -> list[torch.Tensor]:
    with torch.no_grad():
        norm = grad.norm()
        kept = grad
        if norm > 1:  # GM101
            kept = grad / norm
        seen = [kept]
        turned = grad
        if norm > 2:  # GM101
            turned = grad * 2
        view = turned.view(-1)
        grads = [x, x]
        if norm > 3:  # GM101
            grads = [each * 2 for each in grads]
        found = [each for each in grads if each.requires_grad]
    return [*seen, view, *found, turned * 2]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([0.5, -2.0], requires_grad=True)
    return [(x, x * 2), (x, x * 0.1)]
