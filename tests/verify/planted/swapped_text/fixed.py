# expect: text
import warnings

import torch
from torch import nn


class Verbose(nn.Module):
    def forward(self, x):
        if not torch.compiler.is_compiling():
            warnings.warn("relu is old", stacklevel=1)
            print("before")
        return x.relu()


def build():
    return Verbose(), (torch.ones(3),), {}
