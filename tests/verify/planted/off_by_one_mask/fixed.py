# expect: values: output
import torch
from torch import nn


class Crop(nn.Module):
    def forward(self, x, length):
        place = torch.arange(x.shape[0])
        return torch.where(place <= length, x, torch.zeros_like(x))


def build():
    return Crop(), (torch.randn(6), torch.tensor(4)), {}
