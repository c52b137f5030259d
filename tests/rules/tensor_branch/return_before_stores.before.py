import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("ready", torch.Tensor([False]))
        self.register_buffer("rows", torch.zeros(2, 3))
        self.register_buffer("shift", torch.zeros(3))
        self.register_buffer("set_up", torch.tensor(False))
        self.count = 2

    @torch.no_grad()
    def prepare(self, data):
        if self.ready:  # GM101
            return
        self.rows.data.copy_(data[: self.count])
        self.ready.data.copy_(torch.Tensor([True]))

    def forward(self, x):
        self.prepare(x)
        if not self.set_up.item():  # GM101
            with torch.no_grad():
                centre = x.mean(0)
                self.shift.copy_(-centre)  # the first batch
                self.set_up.fill_(True)
        return x + self.shift + self.rows.sum()


forward = Forward


def inputs() -> list[object]:
    x = torch.arange(6.0).reshape(2, 3)
    return [x, (x * 2).requires_grad_(), torch.cat([x, x])]
