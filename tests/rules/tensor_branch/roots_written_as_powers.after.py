"""A root has no gradient at zero, however it is written: only the branch that is taken is computed."""

import torch


def root(x: torch.Tensor) -> torch.Tensor:
    condition = x.sum() > 0

    def if_true():
        return x**0.5

    def if_false():
        return x * 2

    if torch.compiler.is_compiling():
        y = torch.cond(condition, if_true, if_false)
    else:
        y = if_true() if condition else if_false()
    return y


def whole(x: torch.Tensor) -> torch.Tensor:
    y = torch.where(x.sum() > 0, x**2, x * 2)
    return y


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return root(x), whole(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([1.0, 4.0]), torch.tensor([-1.0, -4.0]), torch.tensor([0.0, -1.0])]
