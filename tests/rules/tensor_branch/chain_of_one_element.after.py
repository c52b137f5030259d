"""A chained comparison, whose middle has one element: with more, Python could not ask it."""

import torch


def window(x: torch.Tensor, sigmas: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    sigma = sigmas[index]
    x = torch.where((0.5 <= sigma).reshape(()) & (sigma <= 3.0).reshape(()), x * 2, x)
    return x


def named(x: torch.Tensor, low: float, top: torch.Tensor) -> torch.Tensor:
    level = top.max()
    value = x[:1]
    x = torch.where((low < value).reshape(()) & (value < level).reshape(()), x + 1, x)
    return x


def forward(x: torch.Tensor, sigmas: torch.Tensor, index: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return window(x, sigmas, index), named(x, 0.5, sigmas)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x, sigmas = torch.ones(3), torch.linspace(0, 5, 6)
    places = [torch.tensor(0), torch.tensor([1]), torch.tensor([[3]]), torch.tensor(5)]
    nan = torch.tensor([float("nan"), 1.0, 2.0])
    return [*((x, sigmas, place) for place in places), (nan, sigmas, places[0]), (x, nan, places[0])]
