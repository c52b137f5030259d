"""A tensor that one of several modules, objects or functions changes in place."""

import torch
from torch import nn


class Clipped(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x.clamp_(max=1.0)


class Scaled(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * 2.0


class Halver:
    def __setitem__(self, key: str, x: torch.Tensor) -> None:
        self.kept = x

    def apply(self, x: torch.Tensor) -> torch.Tensor:
        return x / 2

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x / 2


class Bumper:
    def __setitem__(self, key: str, x: torch.Tensor) -> None:
        x.add_(1)

    def apply(self, x: torch.Tensor) -> torch.Tensor:
        return x.add_(1)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return x.add_(1)


def doubled(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def doubled_in_place(x: torch.Tensor) -> torch.Tensor:
    return x.mul_(2)


class Model(nn.Module):
    def __init__(self, clip: bool = True) -> None:
        super().__init__()
        self.block = Clipped() if clip else Scaled()
        self.act = nn.Tanh() if clip else nn.ReLU(inplace=True)
        self.tool = Halver() if clip else Bumper()
        self.function = doubled if clip else doubled_in_place
        self.method = (Halver() if clip else Bumper()).apply

    def by_block(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        return self.block(y)

    def by_activation(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        return self.act(y)

    def by_object(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        return self.tool(y)

    def by_method(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        return self.tool.apply(y)

    def by_function(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        return self.function(y)

    def by_kept_method(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        return self.method(y)

    def by_item(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        if x.sum() > 0:  # GM101
            y = x * 2
        self.tool["x"] = y
        return y

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = self.by_item(x)
        a = a + self.by_block(x) + self.by_activation(x) + self.by_object(x)
        return a + self.by_method(x) + self.by_function(x) + self.by_kept_method(x)


forward = Model


def inputs() -> list[object]:
    return [torch.tensor([0.5, 2.0]), torch.tensor([-0.5, -2.0])]
