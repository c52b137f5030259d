"""Functions of torch, NumPy and Python that Dynamo calls outside the graph."""

import bisect
import cmath
import io
import itertools
import os
import random
import statistics

import numpy as np
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    x = x + 1
    place = bisect.bisect_left([1, 2, 3], 2)  # GM401
    angle = cmath.phase(1j)  # GM401
    with io.BytesIO():  # GM401
        x = x * 2
    pairs = len(list(itertools.combinations_with_replacement([1, 2], 2)))  # GM401
    name = os.path.normpath("a//b")  # GM401
    bits = random.getrandbits(1)  # GM401
    spread = statistics.pstdev([1.0, 2.0])  # GM401
    if torch.result_type(x, 1) is torch.float32:  # GM401
        x = x - 1
    if torch.get_device(x) < 0:  # GM401
        x = x - place - angle - pairs - spread - len(name) + bits * 0
    with torch.backends.cuda.sdp_kernel(enable_math=True):  # GM401
        x = x * 2
    with np.errstate(all="ignore"):  # GM401
        return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
