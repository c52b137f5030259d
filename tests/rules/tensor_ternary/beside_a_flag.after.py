import torch
import torch.nn.functional as F
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(2, 2)
        self.register_buffer("weight", torch.tensor(0.5))
        nn.init.constant_(self.lin.weight, 0.5)
        nn.init.zeros_(self.lin.bias)

    def distance(self, x: torch.Tensor, y: torch.Tensor, reduce: str = "mean") -> torch.Tensor:
        return F.mse_loss(x.detach(), y, reduction=reduce)

    def forward(self, x: torch.Tensor, flag: bool = True) -> torch.Tensor:
        y = self.lin(x)
        loss = torch.where(self.weight > 0, self.distance(x, y), torch.tensor(0.0)) if flag else torch.tensor(0.0)
        other = F.l1_loss(x, y) if flag else torch.where(x.sum() > 0, F.l1_loss(x, y), torch.tensor(1.0))
        return self.weight * loss + other + y.sum()


forward = Model


def inputs() -> list[object]:
    up = torch.tensor([[0.5, 2.0]], requires_grad=True)
    return [(up, True), (up, False), (torch.tensor([[-0.5, -2.0]], requires_grad=True), False)]
