"""Not fixed: it is not these labels that the mask is made of, or the loss is not one number."""

import torch
from torch.nn.functional import cross_entropy


def forward(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
    mask = y != 2
    first = cross_entropy(
        x[mask],  # GM501
        y[mask],  # GM501
        reduction="none",
    )
    y = y % 2
    second = cross_entropy(
        x[mask],  # GM501
        y[mask],  # GM501
    )
    return first, second


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(4, 3), torch.tensor([1, 2, 0, 2]))]
