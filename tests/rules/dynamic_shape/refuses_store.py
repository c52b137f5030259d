"""Not fixed: what the mask leaves out would be computed, or the masks are not the same."""

import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    mask, other = x > 1, x < -1
    x[mask] = 2 * y[mask].clamp(0)  # GM501
    x[mask] = 1.0 / y[mask]  # GM501
    x[mask] = y[mask].sqrt()  # GM501
    x[mask] = y[other]  # GM501
    x[0][mask[0]] += 1  # GM501
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([[-2.0, 0.0, 3.0]]), torch.ones(1, 3))]
