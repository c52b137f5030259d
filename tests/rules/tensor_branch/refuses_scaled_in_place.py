"""Not fixed: the factors differ, one is changed on the way, also as a part of a tensor; more is done than scaling; or a
loop's name is read later.
"""

import torch


def forward(x: torch.Tensor, y: torch.Tensor, share: torch.Tensor) -> tuple[object, ...]:
    x, y, done = x * 2, y * 2, []
    if share < 1:  # GM101
        x.mul_(share)
        y.mul_(share + 1)
    if share > 2:  # GM101
        share.mul_(share)
    if share > 3:  # GM101
        x.mul_(share)
        done.append(x)
    last = x
    if share > 5:  # GM101
        for last in (x, y):
            last.mul_(share)
    done.append(last)
    part = x[0]
    if share > 6:  # GM101
        x.mul_(part)
        y.mul_(part)
    for each in iter([x, y]):
        if each.sum() > 4:  # GM101
            each.mul_(share)
            done.append(each)
    return x, y, done


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(3), torch.ones(2), torch.tensor(0.5))]
