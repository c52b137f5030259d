"""Where to split is read from a tensor; a number of parts is none."""

import torch


def forward(x: torch.Tensor, places: torch.Tensor) -> list[torch.Tensor]:
    first = x.tensor_split(places)  # GM201
    second = torch.tensor_split(x, places)  # GM201
    return [*first, *second]


def split(x: torch.Tensor, parts: int = 2) -> list[torch.Tensor]:
    return [*x.tensor_split(parts), *torch.tensor_split(x, parts, 0)]


compiled = torch.compile(forward), torch.compile(split)


def inputs() -> list[object]:
    return [(torch.arange(6.0), torch.tensor([1, 3]))]
