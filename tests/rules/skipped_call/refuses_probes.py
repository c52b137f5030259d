import json
import os

import torch


def forward(x: torch.Tensor, name: str = "/none", sizes: tuple[int, ...] = (1, 2)) -> torch.Tensor:
    if os.path.isdir(name):  # GM401
        x = x * 2
    if os.path.exists(f"{name}.pt"):  # GM401
        x = x * 2
    if json.dumps(sizes) == "[]":  # GM401
        x = x * 2
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3),)]
