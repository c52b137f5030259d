import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self, warmup=4):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.warmup = warmup
        self.register_buffer("step", torch.tensor(0))

    def forward(self, x):
        share = min(1.0, self.step.item() / self.warmup)  # GM201
        self.step += 1
        rate = max(1 - self.step.item() / 10, 0.5)  # GM201
        return x + share * self.layer(x) * rate


forward = Forward


def inputs() -> list[object]:
    x = torch.tensor([[1.0, 2.0]])
    return [x, x * 2, -x]
