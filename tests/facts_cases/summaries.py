import torch


def exists(value):
    return value is not None


def default(value, other):
    if exists(value):
        return value
    return other() if callable(other) else other


def either(x, flag):
    if flag:
        return x.sum()  # kind: tensor 0-dim
    return None  # kind: none


def pair(x):
    return x, x.shape[0]  # kind: container


def recursive(x, n):
    if n == 0:
        return x
    return recursive(x, n - 1)  # reached


def numbers(x):
    for row in x:
        yield row.sum()


def given(value, otherwise):
    return otherwise if value is None else value


@torch.compile
def main(x: torch.Tensor, flag: bool, scale=None, size=None, unknown=None):
    i = given(x, x)  # kind: tensor
    j = given(size, unknown.width)  # kind: unknown
    a = either(x, flag)  # kind: tensor | none 0-dim
    b = pair(x)[1]  # kind: size
    c, d = pair(x)
    e = c  # kind: tensor
    f = next(numbers(x))  # kind: tensor 0-dim
    g = default(scale, lambda: x.mean())  # reached
    h = recursive(x, 3)  # reached
    return a, b, e, f, g, h
