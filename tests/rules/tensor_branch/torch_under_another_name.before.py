import torch as th


def forward(x: th.Tensor) -> th.Tensor:
    if x.sum() > 0:  # GM101
        y = x * 2.0
    else:
        y = x * 0.5
    return y


compiled = th.compile(forward)


def inputs() -> list[object]:
    return [th.ones(2), -th.ones(2)]
