from typing import Any

import torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, y: torch.Tensor, k: int = 1) -> torch.Tensor:
        return x * y * k

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, None]:
        return grad, grad, None


def forward(x: torch.Tensor) -> torch.Tensor:
    k = 2
    y = Product.apply(x, x.clone(), k) + Product.apply(x, y := x * 2, k) + y
    with torch.no_grad():
        y = y + Product.apply(x, x, k)
    return y + Product.apply(x, x, k)  # GM403


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(4.0, requires_grad=True)]
