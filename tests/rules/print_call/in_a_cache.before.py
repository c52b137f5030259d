import functools

import torch


@functools.lru_cache(None)
def once(text: str) -> None:
    print("said once:", text)  # GM301


def inner(text: str) -> None:
    print("inside of one:", text)  # GM301


@functools.cache
def outer(text: str) -> None:
    inner(text)


def forward(x: torch.Tensor) -> torch.Tensor:
    once("a")
    outer("b")
    return x + 1


compiled = torch.compile(forward)


def inputs():
    once.cache_clear()
    outer.cache_clear()
    return [(torch.ones(2),), (torch.ones(2),)]
