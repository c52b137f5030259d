import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("ready", torch.tensor(False))
        self.register_buffer("rows", torch.zeros(2, 3))
        self.layer = nn.Linear(3, 3)
        self.seen = 0

    @torch.no_grad()
    def draw(self, data):
        if self.ready:  # GM101
            return
        self.rows.copy_(data[torch.randperm(data.shape[0])[:2]])
        self.ready.fill_(True)

    @torch.no_grad()
    def count(self, data):
        if self.ready:  # GM101
            return
        self.seen += 1
        self.rows.copy_(data[:2])

    def answer(self, data):
        if data.sum() > 0:  # GM101
            return None
        self.rows.copy_(data[:2])
        return self.rows

    def forward(self, x):
        self.draw(x)
        self.count(x)
        self.answer(x)
        if self.rows.sum() > 0:  # GM101
            with torch.no_grad():
                self.rows.copy_(self.layer(x)[:2])
                self.rows = self.rows.clone()
        return x


forward = Forward


def inputs() -> list[object]:
    return [torch.arange(6.0).reshape(2, 3), -torch.arange(6.0).reshape(2, 3)]
