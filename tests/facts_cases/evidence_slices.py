import torch
from torch import nn


class Model(nn.Module):
    def forward(self, ref, other, words, third):
        a = ref[1:] - ref[:-1]  # kind: tensor
        b = other.ptr[1:] - other.ptr[:-1]  # kind: tensor
        c = words[1:] + words[:-1]  # kind: unknown
        d = third.values.split(2, dim=1)  # kind: container
        return ref  # kind: tensor
