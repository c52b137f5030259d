"""The gradient of a product is finite where an element is zero: both sides may be computed."""

import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    scale = x.sum()
    if y.sum() > 0:  # GM101
        scale = x.prod()
    return scale * 2


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, ones = torch.tensor([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]], requires_grad=True), torch.ones(2, 3)
    return [(x, ones), (x, -ones), (x.detach() + 1, ones)]
