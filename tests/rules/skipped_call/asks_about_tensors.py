"""Questions about a tensor that torch answers with something else than a tensor."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    y = x * 2
    if y.is_conj():  # GM401
        y = y.clone()
    if torch.is_neg(y):  # GM401
        y = y.clone()
    if not y.is_signed():  # GM401
        y = -y
    if y.is_contiguous() and y.is_floating_point() and not y.is_complex() and y.element_size() > 2:
        y = y + 1
    return y if y.is_same_size(x) else x  # GM401


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2)]
