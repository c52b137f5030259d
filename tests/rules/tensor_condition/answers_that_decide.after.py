# all rules
import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    positive = x.sum() > 0
    some = (x > 2).any()
    none = ~(x > -1).any()
    largest = x.max()
    inside = (0 < largest) & (largest < 3)
    y = torch.where(positive & ~some, x * 2, x)
    y = torch.where(none | inside, y - 1, y)
    return y


def inputs() -> list[torch.Tensor]:
    rows = [[1.0, 0.5], [4.0, 2.5], [-1.5, -7.0], [-9.0, 1.0], [1.0, 0.5]]
    return [torch.tensor(row, requires_grad=True) for row in rows]


compiled = torch.compile(forward)
