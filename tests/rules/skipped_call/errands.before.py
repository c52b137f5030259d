import gc
import os
import time

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    gc.collect()  # GM401
    x = x * 2
    time.sleep(0)  # GM401
    with open(os.devnull, "w") as file:  # GM401
        file.write("rows")
        print("a", file=file)
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
