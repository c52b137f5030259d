import functools

import torch


def wrap(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@wrap
def wrapped(x):
    return x.sum()  # kind: tensor 0-dim


def add(x, y):
    return x + y  # kind: tensor


def linear(x):
    return x  # kind: tensor


def squared(x):
    return x.pow(2).sum()  # kind: tensor 0-dim


KINDS = {"linear": linear, "squared": squared}


def apply(function, x):
    return function(x)  # kind: tensor


@torch.compile
def main(x: torch.Tensor, kind: str = "linear"):
    a = wrapped(x)  # kind: tensor 0-dim
    b = functools.partial(add, x)(1)  # kind: tensor
    c = KINDS[kind](x)  # kind: tensor
    d = apply(lambda t: t.flip(0), x)  # kind: tensor
    e = list(map(squared, [x, x]))  # kind: container
    f = e[0]  # kind: tensor 0-dim

    chosen = linear if len(kind) > 3 else squared
    g = chosen(x)  # kind: tensor

    def inner(y):
        return y.sum() + a  # kind: tensor 0-dim

    return inner(x) + b + c + d + f + g
