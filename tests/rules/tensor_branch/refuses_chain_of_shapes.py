"""Not fixed: a later comparison may have other elements than the first, which may decide without it."""

import torch


def forward(x: torch.Tensor, low: torch.Tensor, top: torch.Tensor) -> torch.Tensor:
    if low < 1 < top:  # GM101
        x = x * 2
    if 0 < low < top:  # GM101
        x = x + 1
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3), torch.tensor(2.0), torch.ones(2)), (torch.ones(3), torch.tensor(-1.0), torch.ones(2))]
