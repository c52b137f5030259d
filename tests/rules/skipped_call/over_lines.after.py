import contextlib

import torch
from torch.autograd import Variable


def forward(x: torch.Tensor, mixed_precision: bool = True) -> torch.Tensor:
    with (
        torch.autocast("cpu", enabled=False),
        torch.autocast("cpu", dtype=torch.bfloat16) if mixed_precision else contextlib.nullcontext(),
    ):
        x = x @ x
    one_hot = (
        torch.zeros_like(x)
        .scatter_(1, x.argmax(1, keepdim=True), 1)
    ).detach()
    made = torch.ones(2, 3)
    return x * one_hot, made


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    return [(x,), (x, False), (x,)]
