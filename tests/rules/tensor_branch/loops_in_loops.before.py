"""What stands under Python's own `if` and `for` in a turn is masked, too."""

import torch


def forward(x: torch.Tensor, flag: bool = False) -> torch.Tensor:
    total = torch.zeros_like(x)
    for i in range(3):
        if flag:
            x = x + 1
        for k in range(2):
            part = x * k
            total = total + part
            if part.sum() > 4:  # GM101
                break
        if total.norm() > 3:  # GM101
            return total - x
        x = x * 1.5
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    given = [torch.ones(3) * scale for scale in (0.1, 1.0, 4.0, 0.1, -1.0)]
    return [(each,) for each in given] + [(each, True) for each in given]
