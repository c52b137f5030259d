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
        if x.sum() > 0:  # GM101
            y = x * 2
        return self.layer(y)


forward = Model


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3), torch.ones(3)]
