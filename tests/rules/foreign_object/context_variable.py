"""A variable whose value hangs on the context."""

from contextvars import ContextVar

import torch

scale = ContextVar("scale", default=2.0)


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * scale.get()  # GM408


forward = Model()
names = {"scale": scale.name}


def inputs() -> list[object]:
    return [torch.arange(3.0)]
