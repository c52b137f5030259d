import torch
from torch.compiler import is_compiling


def compiling():
    return torch.compiler.is_compiling()


@torch.compiler.disable
def outside(x):
    return x.sum()  # not reached


@torch.library.custom_op("demo::op", mutates_args=())
def custom(x: torch.Tensor) -> torch.Tensor:
    return x.sum()  # not reached


@torch.compile
def main(x: torch.Tensor):
    outside(x)
    y = custom(x)  # kind: tensor 0-dim
    if not torch.compiler.is_compiling():
        print(x)  # not reached
    if not is_compiling() and x.sum() > 0:
        print(x)  # not reached
    if not compiling():
        print(x)  # not reached
    if torch.jit.is_scripting():
        print(x)  # not reached
    if y is not None:
        return y
    return x.sum()  # not reached
