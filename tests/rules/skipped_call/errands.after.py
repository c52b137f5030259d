import gc
import os
import time

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        gc.collect()
    x = x * 2
    if not torch.compiler.is_compiling():
        time.sleep(0)
        with open(os.devnull, "w") as file:
            file.write("rows")
            print("a", file=file)
    return x


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
