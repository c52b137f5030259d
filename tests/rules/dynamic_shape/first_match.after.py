# all rules
"""The place of a step is looked up by `nonzero`, and used as an index."""

import torch
from torch import nn


class Step(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("steps", torch.linspace(10.0, 0.0, 6))
        self.register_buffer("sigmas", torch.linspace(3.0, 0.0, 7))

    def forward(self, noise: torch.Tensor, step: torch.Tensor, sample: torch.Tensor) -> torch.Tensor:
        index = (self.steps == step).int().argmax()
        sigma, following = self.sigmas[index.reshape(1)].squeeze(0), self.sigmas[(index + 1).reshape(1)].squeeze(0)
        place = (self.steps == step).int().argmax()
        return sample + noise * (following - sigma) + self.sigmas[place.reshape(1)].squeeze(0)


forward = Step


def inputs() -> list[object]:
    noise, sample = torch.tensor([0.5, -2.0], requires_grad=True), torch.ones(2)
    return [(noise, torch.tensor(8.0), sample), (noise, torch.tensor(0.0), sample), (noise, torch.tensor(10.0), sample)]
