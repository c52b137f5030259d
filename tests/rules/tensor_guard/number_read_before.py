"""A number that was read before is not read again for a check, whatever shapes it is compared with."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    rows = int(x[0, 0])
    if x.shape[0] % rows or len(x) < rows or rows in x.shape:
        raise ValueError("rows")
    try:
        if x.sum().item() > rows + 6:  # GM105
            raise ValueError("large")
    except ValueError:
        x = x + 1
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3), torch.full((2, 3), 2.0)]
