import contextlib
import time
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def timed() -> Iterator[None]:
    if not torch.compiler.is_compiling():
        start = time.time()
    try:
        yield
    finally:
        if not torch.compiler.is_compiling():
            spent = time.time() - start
            if spent > 60:
                print("slow")


def forward(x: torch.Tensor) -> torch.Tensor:
    with timed():
        return x * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
