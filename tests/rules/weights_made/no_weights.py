import torch
from torch import nn


class Loss(nn.Module):
    def __init__(self, weight: float) -> None:
        super().__init__()
        self.weight = weight

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return nn.LayerNorm(3, elementwise_affine=False)(x) * self.weight


def forward(x: torch.Tensor) -> torch.Tensor:
    return Loss(0.5)(x) + nn.MSELoss()(x, x * 2)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3)]
