"""One side alone may run: an index may be out of range on the other, or a gradient not finite."""

import torch


def forward(x: torch.Tensor, i: int = 2) -> torch.Tensor:
    condition = x.sum() > 0

    def if_true():
        return x[i] * 2.0

    def if_false():
        return x[0].clone()

    if torch.compiler.is_compiling():
        y = torch.cond(condition, if_true, if_false)
    else:
        y = if_true() if condition else if_false()
    condition = x.mean() < 0

    def if_true():
        z = x.abs().log()
        return z + y

    def if_false():
        root = x.sqrt()
        return root + y

    if torch.compiler.is_compiling():
        return torch.cond(condition, if_true, if_false)
    return if_true() if condition else if_false()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3, requires_grad=True), -torch.ones(3)]
