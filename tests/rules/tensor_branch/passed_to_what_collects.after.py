import torch
from torch import nn


class Layer(nn.Module):
    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        outputs = (x * 3,)
        outputs += (x,)
        return outputs


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = Layer()

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x
        y = torch.where(x.sum() > 0, x * 2, y)
        return self.layer(y)


forward = Model


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3), torch.ones(3)]
