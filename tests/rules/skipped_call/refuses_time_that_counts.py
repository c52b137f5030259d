import time

import torch


class Clock:
    began = 0.0


def forward(x: torch.Tensor) -> torch.Tensor:
    start = time.time()  # GM401
    if start < 0:
        x = x * 2
    again = time.time()  # GM401
    later = (lambda: again)()
    Clock.began = time.time()  # GM401
    x = x + 0 * Clock.began
    name = time.time()  # GM401
    name = x + 1
    kept = [time.time()]  # GM401
    kept.append(later)
    return name * len(kept)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
