import torch
from torch import nn


class Model(nn.Module):
    kept = None

    def __init__(self, layers: int, mix=False):
        super().__init__()
        self.use = layers > 0
        if self.use:
            self.fc = nn.Linear(3, 3)
            self.n = torch.ones(3)
            self.kept = torch.ones(3)
        if mix:
            self.either = torch.ones(3)
        else:
            self.either = None

    def forward(self, x: torch.Tensor, *args):
        if self.use:
            a = self.fc(x)  # kind: tensor
            b = self.n  # kind: tensor | none
        c = self.kept  # kind: unknown
        d = self.either  # kind: tensor | none
        if len(args) == 2:
            e = args[0]  # reached
        return x
