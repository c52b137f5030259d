import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self):
        super().__init__()
        self.normed = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
        self.added = nn.Sequential(nn.Linear(2, 2))
        self.added.append(nn.BatchNorm1d(2))
        self.put = nn.Sequential(nn.Linear(2, 2), nn.Identity())
        self.put[1] = nn.Dropout(0.1)
        self.activated = nn.Sequential(nn.ReLU(inplace=True), nn.Linear(2, 2))

    def forward(self, x):
        if x.sum() > 0:  # GM101
            x = self.normed(x)
        if x.sum() > 1:  # GM101
            x = self.added(x)
        if x.sum() > 2:  # GM101
            x = self.put(x)
        if x.sum() > 3:  # GM101
            x = self.activated(x)
        return x


forward = Forward


def inputs() -> list[object]:
    return [torch.zeros(2, 2), torch.tensor([[1.0, 2.0], [3.0, -4.0]])]
