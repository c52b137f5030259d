import torch
from torch import nn


class Held(nn.Module):
    def __init__(self, width: int = 3) -> None:
        super().__init__()
        self.width = torch.as_tensor(width)
        self.register_buffer("length", torch.tensor(2))
        self.seen = torch.tensor(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.seen = self.seen + 1
        zeros = torch.zeros(x.shape[0], self.width) + x.new_zeros((2, self.length)).sum()
        more = torch.zeros(self.width + 1).sum()  # GM202
        return zeros + more + torch.zeros(self.seen).sum()  # GM202


forward = Held


def inputs() -> list[object]:
    return [torch.arange(4.0)]
