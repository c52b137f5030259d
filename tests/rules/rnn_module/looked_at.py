import torch
from torch import nn


class forward(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn = nn.LSTM(4, 4)
        self.cell = nn.LSTMCell(4, 4)
        self.hidden_size = self.rnn.hidden_size

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x * self.hidden_size * self.cell.hidden_size
        if isinstance(self.rnn, nn.LSTM):  # GM404
            x = x * 2
        if isinstance(self.cell, nn.LSTMCell):
            x = x * 2
        return x + torch.zeros(self.rnn.hidden_size)  # GM404


def inputs() -> list[object]:
    return [torch.arange(4.0)]
