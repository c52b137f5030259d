"""Refused: the number is drawn only where the rate is known to be above zero."""

import random

import torch


class Encoder(torch.nn.Module):
    def __init__(self, noise: float = 0.0) -> None:
        super().__init__()
        self.noise = noise
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.training and self.noise > 0:
            chance = random.uniform(0, 1)
            if chance < self.noise:  # GM101
                x = x * 2
        return self.layer(x)


def forward(x: torch.Tensor) -> torch.Tensor:
    return encoder(x)


torch.manual_seed(0)
encoder = Encoder()
vars(encoder)["noise"] = 0.5
compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2, 3)]
