import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, n) -> torch.Tensor:
        longest = max(lengths)
        if longest != x.shape[1]:  # GM101
            x = x[:, :longest]
        if lengths.sum() > 0:  # GM101
            x = self.linear(x[: lengths.max()])
        if lengths.sum() > 1:  # GM101
            x = self.linear(x)[:n]
        if lengths.sum() > 2:  # GM101
            x = self.linear(x * (lengths[0] in lengths))
        if lengths.sum() > 3:  # GM101
            x = self.linear(x * (not lengths[0]))
        if lengths.sum() > 4:  # GM101
            x = self.linear(x * (0 < lengths[0] < 3))
        return self.linear(x)


forward = Model


def inputs() -> list[tuple[object, ...]]:
    return [(torch.ones(2, 3), torch.tensor([3, 2]), 2)]
