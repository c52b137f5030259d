import torch
from torch import nn


class Rotary(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.limit = 4
        self.register_buffer("table", torch.arange(3.0), persistent=False)
        self.short = self.table

    def make(self, factor: float) -> torch.Tensor:
        return torch.arange(3.0) * factor

    def update(self, positions: torch.Tensor) -> None:
        last = torch.max(positions) + 1
        if not hasattr(self, "long"):
            self.long = self.make(2.0)
        # it may have moved
        self.short = self.short.to(positions.device)
        self.register_buffer("table", torch.where(last > self.limit, self.long, self.short), persistent=False)

    def forward(self, x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        self.update(positions)
        return x * self.table


forward = Rotary


def inputs() -> list[object]:
    return [(torch.ones(3), torch.arange(3)), (torch.ones(3), torch.arange(7)), (torch.ones(3), torch.arange(3))]
