"""Not flagged: Dynamo traces these."""

import copy
import math
import random

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    settings = copy.deepcopy({"a": [1, 2]})
    return x * random.randint(1, 1) * settings["a"][1] * math.pi


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
