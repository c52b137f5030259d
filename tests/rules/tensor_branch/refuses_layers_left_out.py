import random

import torch


class Encoder(torch.nn.Module):
    def __init__(self, layerdrop: float = 0.0) -> None:
        super().__init__()
        self.layerdrop = layerdrop
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for _ in range(2):
            chance = random.uniform(0, 1)
            if self.training and chance < self.layerdrop:  # GM101
                continue
            x = self.layer(x)
        return x


def forward(x: torch.Tensor) -> torch.Tensor:
    return encoder(x)


torch.manual_seed(0)
encoder = Encoder(layerdrop=0.5)
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
