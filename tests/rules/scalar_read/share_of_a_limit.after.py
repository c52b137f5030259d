import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self, warmup=4):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.warmup = warmup
        self.register_buffer("step", torch.tensor(0))

    def forward(self, x):
        share = (self.step.detach().clone() / self.warmup).clamp(max=1.0)
        self.step += 1
        rate = (1 - self.step.detach().clone() / 10).clamp(min=0.5)
        return x + share * self.layer(x) * rate


forward = Forward


def inputs() -> list[object]:
    x = torch.tensor([[1.0, 2.0]])
    return [x, x * 2, -x]
