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
        condition = ~(self.ready.reshape(()) != 0)
        self.rows.data.copy_(torch.where(condition, data[: self.count], self.rows.data))
        self.ready.data.copy_(
            torch.where(condition, torch.Tensor([True]), self.ready.data)
        )

    def forward(self, x):
        self.prepare(x)
        with torch.no_grad():
            # the first batch
            centre = x.mean(0)
            condition = ~self.set_up
            self.shift.copy_(torch.where(condition, -centre, self.shift))
            self.set_up.copy_(torch.where(condition, True, self.set_up))
        return x + self.shift + self.rows.sum()


forward = Forward


def inputs() -> list[object]:
    x = torch.arange(6.0).reshape(2, 3)
    return [x, (x * 2).requires_grad_(), torch.cat([x, x])]
