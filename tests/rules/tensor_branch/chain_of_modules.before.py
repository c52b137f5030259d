import torch
from torch import nn


class Forward(nn.Module):
    def __init__(self):
        super().__init__()
        self.mask = nn.Sequential(nn.Linear(2, 2), nn.ReLU(inplace=True), nn.Sequential(nn.Linear(2, 2), nn.Sigmoid()))

    def forward(self, frames):
        energy = frames.pow(2).mean()
        if energy < 1e-4:  # GM101
            return torch.zeros_like(frames)
        gain = self.mask(frames)
        return frames * gain


forward = Forward


def inputs() -> list[object]:
    return [torch.zeros(2, 2), torch.tensor([[1.0, 2.0], [3.0, -4.0]]), torch.full((2, 2), float("nan"))]
