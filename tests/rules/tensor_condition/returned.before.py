"""A result that a caller asks for its truth: there the graph breaks, too, but not here as well."""

import torch


def inside(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).all() and (x < 1).all()  # GM104


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * inside(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 0.25]), torch.ones(2), torch.tensor([-1.0, 0.5])]
