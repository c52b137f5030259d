import torch
from torch import nn


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x[kept(x)])


def kept(x: torch.Tensor) -> torch.Tensor:
    return torch.nonzero(x.sum(-1) > 0).flatten()


forward = Model


def main() -> Model:
    model = Model()
    model.compile(
        mode="default",  # quick
        dynamic=True,
        fullgraph=True,
    )
    return model


def inputs() -> list[torch.Tensor]:
    x = torch.arange(12.0).reshape(4, 3)
    return [x, x - 5, x - 50, x]
