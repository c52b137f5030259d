"""Sites that have other breaks, none, or only such as can be mended; sites that are whole; what is not a site."""

import functools

import torch

jit = functools.partial(torch.compile, dynamic=True)
options = {"fullgraph": True}


@torch.compile
def other_breaks(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0] if x.sum() > 0 else x


@torch.compile
def hard_behind_a_call(x: torch.Tensor) -> torch.Tensor:
    return asks(x[x > 0])


def asks(x: torch.Tensor) -> torch.Tensor:
    if len(x.nonzero()) > 2:
        return x
    return -x


@torch.compile
def mended(x: torch.Tensor) -> torch.Tensor:
    return x * x.sum().item()


@torch.compile
def none(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@torch.compile(fullgraph=True)
def whole(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]


@torch.compile(**options)
def not_known(x: torch.Tensor) -> torch.Tensor:
    return x[x > 1]


@jit
def elsewhere(x: torch.Tensor) -> torch.Tensor:
    return x[x > 2]


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def inputs() -> list[torch.Tensor]:
    return [torch.ones(3)]
