"""Not fixed: the indices are used as numbers, or the elements as a tensor of their own."""

import torch


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    i = torch.where(x > 2)  # GM501
    x[i] = x[i].exp()
    j = torch.nonzero(x > 1, as_tuple=True)  # GM501
    k = torch.where(x)  # GM501
    mask = x > 0
    m = torch.where(mask)  # GM501
    mask &= x < 2
    low = (x < 0).nonzero(as_tuple=True)  # GM501
    x[low] += 2.0
    return x, x[j], j[0], x[k].sum(), x[m].sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([1.0, 3.0, 0.0])]
