import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm


class Model(nn.Module):
    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.plain = nn.utils.spectral_norm(nn.Linear(4, 4))
        self.first = nn.utils.spectral_norm(nn.LSTM(4, 4), "weight_hh_l0")
        if width > 2:
            self.maybe = nn.LSTM(4, 4)
        self.second = weight_norm(nn.GRU(4, 4), "weight_hh_l0")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x, _ = self.first(self.plain(x))  # GM404
        self.maybe.flatten_parameters()  # GM404
        y = self.maybe(x)[0]  # GM404
        return self.second(x)[0] + y  # GM404


forward = Model


def inputs() -> list[object]:
    return [torch.ones(2, 3, 4)]
