import queue

import torch

waiting = queue.Queue()
settings = dict(put=1)


def forward(x: torch.Tensor) -> torch.Tensor:
    waiting.put(1)  # GM408
    return x + settings.get("put")


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
