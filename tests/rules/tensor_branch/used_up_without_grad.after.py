# all rules
"""Gradients are off, and nothing but new tensors is made of what is passed on: nobody sees whether it requires grad."""

import torch


def forward(x: torch.Tensor, grad: torch.Tensor) -> list[torch.Tensor]:
    with torch.no_grad():
        norm = grad.norm()
        grad = torch.where(norm > 1, grad / norm, grad)
        grads = [grad * 2, x]
        scale = 1 / (norm + 1)
        condition = scale < 0.4
        grads = [torch.where(condition, each * scale, each) for each in grads]
        return [x - 0.1 * grad, *[a - each * 0.1 for a, each in zip([x, x], grads, strict=True)]]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([0.5, -2.0], requires_grad=True)
    return [(x, torch.ones(2)), (x, x.detach() * 0.1), (x, x * 3)]
