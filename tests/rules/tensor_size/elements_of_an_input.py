"""The number in an input of the graph is read without a break, its elements are not."""

import torch


def forward(x: torch.Tensor, order: torch.Tensor, rows: torch.Tensor) -> torch.Tensor:
    x = x.reshape(rows, -1)
    return x.permute(*order)  # GM202


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(4.0), torch.tensor([1, 0]), torch.tensor(2))]
