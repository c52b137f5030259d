import contextlib
import operator
import re
import statistics

import torch


class Box:
    def close(self) -> None:
        pass


box = Box()


def forward(x: torch.Tensor) -> torch.Tensor:
    x = pow(x, 2)  # GM401
    text = repr([x, x])  # GM401
    index = operator.index(x.long().sum())  # GM401
    array = x.numpy()
    array.tobytes()  # GM401
    array.flags  # GM401
    with contextlib.closing(box):  # GM401
        x = x + index
    re.finditer("a", "aa")  # GM401
    array.astype(object)  # GM401
    statistics.mean([1, 2])  # GM401
    return x * len(f"{[x]}") * pow(2, 3) + len(text)


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),)]
