# expect: exception
import torch
from torch import nn


class Checked(nn.Module):
    def forward(self, x):
        torch._assert_async(~torch.isnan(x).any(), "x holds NaN")
        return x * 2


def build():
    return Checked(), (torch.ones(3),), {}


def bad_inputs():
    return [((torch.tensor([1.0, float("nan")]),), {})]
