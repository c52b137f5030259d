import torch
from torch import nn


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(x, None)
        ctx.scale = scale
        return x.sum() > scale  # kind: tensor 0-dim bool

    @staticmethod
    def backward(ctx, gradient):
        x, nothing = ctx.saved_tensors
        a = x  # kind: tensor
        b = nothing  # kind: none
        c = ctx.scale  # kind: constant
        return gradient, None  # kind: container


class Split(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x + 1  # kind: tensor

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.total = x.sum()  # kind: tensor 0-dim
        return None

    @staticmethod
    def backward(ctx, *gradients):
        a = ctx.total  # kind: tensor 0-dim
        return gradients[0] + a  # kind: tensor


class Model(nn.Module):
    def forward(self, x: torch.Tensor):
        y = Sign.apply(x, 2)  # kind: tensor 0-dim bool
        f = Split.apply
        return f(x) * y  # kind: tensor


class Nested(nn.Module):
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            return gradient * x  # kind: tensor

    def forward(self, x: torch.Tensor):
        function = self.Double.apply
        return function(x)  # kind: tensor
