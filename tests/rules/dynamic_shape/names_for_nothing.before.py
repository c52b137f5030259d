# all rules
"""A mask is given a name where that lets something be mended, whatever else is mended in the file."""

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    if x.max() > 100:
        raise ValueError("too large")
    y, z = torch.zeros_like(x), torch.zeros_like(x)
    y[x > 0] = x[x > 0].cumsum(0)  # GM501
    z[x > 1] = torch.sin(x[x > 1])  # GM501
    return y, z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([1.0, 2.0, -3.0]), torch.tensor([-1.0, 0.5, 4.0])]
