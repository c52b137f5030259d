import io
import os

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    with open(os.devnull) as file:  # GM401
        x = x * len(file.read())
    with open(os.devnull, "w") as file:  # GM401
        size = file.write("a")
    buffer = io.BytesIO()  # GM401
    torch.save([size], buffer)  # GM401
    return x * size * len(buffer.getvalue())


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
