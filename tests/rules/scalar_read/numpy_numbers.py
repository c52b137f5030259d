import math

import numpy as np
import torch
from torch import nn


class Codec(nn.Module):
    def __init__(self, rates: list[int] = [2, 2]) -> None:
        super().__init__()
        self.hop = np.prod(rates)
        self.whole = int(np.prod(rates))
        self.temperature = np.power(64, 0.5)
        self.twice = np.prod(rates) * 2

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length = x.shape[-1]
        x = x.view(-1, self.hop)[:, : self.hop]
        pad = math.ceil(length / self.hop)  # GM201
        y = x.view(-1, self.whole) / self.temperature * pad
        y = y[:, : self.twice] + int(self.hop) + math.sqrt(self.hop) + self.hop.item()
        if length % self.whole == 0:
            y = y + 1
        y = y + y[: length // self.hop].sum()  # GM201
        return y + int(self.hop * 2)  # GM201


class Shares(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length = x.shape[1]
        several = np.ceil(np.log(length)).astype("int").item()  # GM201
        some = int(np.ceil(np.log(length)))
        if some > 2:
            x = x * 2
        x = x + x[:, : np.floor(length / 2).astype(int)].sum()  # GM201
        top, _ = x.topk(np.ceil(1.5).astype(int))
        return top * several * math.sqrt(np.log(length)) / np.sqrt(length)


class Both(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.codec = Codec()
        self.shares = Shares()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.codec(x) + self.shares(x).sum()


forward = Both


def inputs() -> list[object]:
    return [torch.arange(16.0).view(2, 8)]
