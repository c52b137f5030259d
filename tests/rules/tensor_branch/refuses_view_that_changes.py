"""A condition that is an element of a tensor which changes in place later: the gradient would need it as it was."""

import torch


def forward(x: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
    left = z > 0
    out = torch.zeros(3)
    for i in range(3):
        if left[i]:  # GM101
            out[i] = x[i] * 2
        left[i] = False
    return out


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    return [(x, torch.ones(3)), (x, -torch.ones(3))]
