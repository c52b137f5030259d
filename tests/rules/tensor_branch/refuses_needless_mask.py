"""Not fixed: a mask that holds everywhere would not do nothing."""

import torch


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor, sizes: torch.Tensor, rows: torch.Tensor) -> tuple[object, ...]:
        keep = torch.arange(2) < sizes
        if keep.all():  # GM101
            keep = None
        y = x + 1 if keep is None else x
        other = torch.arange(2) < rows
        if other.any():  # GM101
            other = None
        if other is not None:
            x = x * other
        third = torch.arange(2) > sizes
        if third.all():  # GM101
            third = None
        if third is not None:
            x = x + third
        fourth = torch.arange(2) > rows
        if fourth.all():  # GM101
            fourth = None
        if fourth is not None:
            x = x * fourth
        return x, y, fourth is None


forward = Model()


def inputs() -> list[object]:
    return [(torch.arange(2.0), torch.tensor(2), torch.tensor(-1))]
