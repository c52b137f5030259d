import torch
from torch import nn


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x)
        return x.sum() > scale  # kind: tensor 0-dim bool

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


class Split(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x + 1  # kind: tensor

    @staticmethod
    def setup_context(ctx, inputs, output):
        return None

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Model(nn.Module):
    def forward(self, x: torch.Tensor):
        y = Sign.apply(x, 2)  # kind: tensor 0-dim bool
        f = Split.apply
        return f(x) * y  # kind: tensor
