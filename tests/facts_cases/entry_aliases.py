import functools

import torch as th
from torch import compile as jit

fast = functools.partial(th.compile, mode="max-autotune")


@jit
def renamed(x):
    return x.sum()  # kind: tensor 0-dim


@functools.partial(th.compile, fullgraph=True)
def partial_decorator(x):
    return x.sum()  # kind: tensor 0-dim


@fast
def named_partial(x):
    return x.sum()  # kind: tensor 0-dim
