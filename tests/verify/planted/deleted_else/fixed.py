# expect: values: output
import torch
from torch import nn


class Scale(nn.Module):
    def forward(self, x):
        if torch.compiler.is_compiling():
            torch._assert_async(~(x < 0).any(), "negative input")
        elif (x < 0).any():
            raise ValueError("negative input")
        return x + 1


def build():
    return Scale(), (torch.rand(3),), {}
