# all rules
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    positive = bool(x.sum() > 0)  # GM104
    some = any(v > 2 for v in x)  # GM104
    none = not (x > -1).any()  # GM104
    inside = 0 < x.max() < 3  # GM104
    y = x * 2 if positive and not some else x
    if none or inside:
        y = y - 1
    return y


def inputs() -> list[torch.Tensor]:
    rows = [[1.0, 0.5], [4.0, 2.5], [-1.5, -7.0], [-9.0, 1.0], [1.0, 0.5]]
    return [torch.tensor(row, requires_grad=True) for row in rows]


compiled = torch.compile(forward)
