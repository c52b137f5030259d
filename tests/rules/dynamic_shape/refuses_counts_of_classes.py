"""Not fixed: nothing says how many classes there are, more than counts is asked for, or Python reads them."""

import torch


def forward(x: torch.Tensor, weights: torch.Tensor) -> tuple[object, ...]:
    a = torch.bincount(x)  # GM501
    b = torch.bincount(x, minlength=0)  # GM501
    c = torch.bincount(x, weights, minlength=3)  # GM501
    d = x.bincount(minlength=3)  # GM501
    ends = torch.bincount(x, minlength=3).cpu().numpy().cumsum(0)  # GM501
    return a, b, c, d.tolist(), ends[0] + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([0, 2, 2]), torch.tensor([0.5, 1.0, 2.0]))]
