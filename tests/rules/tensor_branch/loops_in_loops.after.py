"""What stands under Python's own `if` and `for` in a turn is masked, too."""

import torch


def forward(x: torch.Tensor, flag: bool = False) -> torch.Tensor:
    total = torch.zeros_like(x)
    going_on = torch.ones((), dtype=torch.bool, device=x.device)
    for i in range(3):
        if flag:
            x = torch.where(going_on, x + 1, x)
        active = torch.ones((), dtype=torch.bool, device=total.device)
        for k in range(2):
            part = x * k
            total = torch.where(
                going_on,
                torch.where(active, total + part, total),
                total,
            )
            active = active & ~(part.sum() > 4)
        going_on = going_on & ~(total.norm() > 3)
        x = torch.where(going_on, x * 1.5, x)
    return torch.where(going_on, x, total - x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    given = [torch.ones(3) * scale for scale in (0.1, 1.0, 4.0, 0.1, -1.0)]
    return [(each,) for each in given] + [(each, True) for each in given]
