import contextlib
import time
from collections.abc import Iterator

import torch


@contextlib.contextmanager
def timed() -> Iterator[None]:
    start = time.time()  # GM401
    try:
        yield
    finally:
        spent = time.time() - start  # GM401
        if spent > 60:
            print("slow")


def forward(x: torch.Tensor) -> torch.Tensor:
    with timed():
        return x * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
