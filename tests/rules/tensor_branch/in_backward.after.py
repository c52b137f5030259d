import torch
from torch import nn


class Bounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.save_for_backward(x)
        ctx.limit = limit
        return x.clamp(max=limit)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        gradient = torch.where((x > ctx.limit).any(), gradient * 0.5, gradient)
        return gradient, None


class Model(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return Bounded.apply(x, 1.0) * 2


forward = Model


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0], requires_grad=True), torch.tensor([0.5, 0.25], requires_grad=True)]
