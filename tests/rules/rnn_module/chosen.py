import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, kind: str = "gru") -> None:
        super().__init__()
        if kind == "lstm":
            self.inner = nn.LSTM(3, 3)
        else:
            self.inner = nn.GRU(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x)[0]  # GM404


forward = Encoder


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
