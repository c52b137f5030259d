import threading
from threading import RLock

import torch

lock = threading.Lock()
other = RLock()


def forward(x: torch.Tensor) -> torch.Tensor:
    with lock:  # GM408
        x = x + 1
    with torch.no_grad(), other:  # GM408
        x = x + 1
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
