import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, first: bool = False) -> None:
        super().__init__()
        self.first = first

    def check(self, mask: torch.Tensor) -> None:
        rows = not self.first and mask[0].all()
        columns = self.first and mask[:, 0].all()
        if not rows and not columns:  # GM105
            raise RuntimeError("a mask must start with ones")

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        self.check(mask)
        return x * mask


forward = Model


def inputs() -> list[object]:
    rows, columns = torch.tensor([[True, True], [False, True]]), torch.tensor([[True, False], [True, True]])
    return [(torch.ones(2, 2), rows), (torch.ones(2, 2), columns), (torch.ones(2, 2), rows)]
