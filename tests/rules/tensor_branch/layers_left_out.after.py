import random

import torch


class Encoder(torch.nn.Module):
    def __init__(self, layerdrop: float = 0.0) -> None:
        super().__init__()
        self.layerdrop = layerdrop
        self.layers = torch.nn.ModuleList(torch.nn.Linear(3, 3) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            # leave out a layer now and then
            chance = random.uniform(0, 1) if self.layerdrop > 0 else 1.0
            if self.training and (chance < self.layerdrop):
                continue
            x = torch.tanh(layer(x))
        for layer in self.layers:
            kept = random.random() if self.layerdrop > 0 else 1.0
            if not self.training or kept > self.layerdrop:
                x = layer(x)
        if self.training and self.layerdrop > 0 and random.random() < self.layerdrop:
            x = x + 1
        return x


def forward(x: torch.Tensor) -> torch.Tensor:
    return encoder(x)


torch.manual_seed(0)
encoder = Encoder()
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
