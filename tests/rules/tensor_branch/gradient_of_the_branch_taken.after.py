"""The gradient of the square root is infinite at zero, where the branch keeps it out: one side alone may run."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    condition = x.min() > 0

    def if_true():
        return x.sqrt()

    def if_false():
        return x * 2.0

    if torch.compiler.is_compiling():
        y = torch.cond(condition, if_true, if_false)
    else:
        y = if_true() if condition else if_false()
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0, 3.0], requires_grad=True), torch.tensor([-0.5, -2.0, 1.0], requires_grad=True)]
