import functools

import torch


@functools.lru_cache(None)
def once(text: str) -> None:
    if not torch.compiler.is_compiling():
        print("said once:", text)


def inner(text: str) -> None:
    if not torch.compiler.is_compiling():
        print("inside of one:", text)


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
