import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self, warmup=4):
        super().__init__()
        self.warmup = warmup
        self.register_buffer("step", torch.tensor(1))
        self.register_buffer("rate", torch.tensor(0.5))

    def forward(self, x):
        ahead = self.warmup / self.step.item()  # GM201
        share = min(1.0, self.rate.item() / self.warmup)  # GM201
        return x * ahead * share


forward = Forward


def inputs() -> list[object]:
    return [torch.tensor([[1.0, 2.0]])]
