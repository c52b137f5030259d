"""No name is given where something would be evaluated in another order, or not always."""

import torch


def forward(x: torch.Tensor, z: torch.Tensor) -> list[torch.Tensor]:
    pos, rows = z > 0, []
    total = torch.rand(1) * (torch.rand_like(x) * x)[pos].mean()  # GM501
    rows.append((x * 2)[pos].mean() if x.shape[0] > 1 else x)  # GM501
    return [total, *rows]


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.randn(3, 4), torch.randint(-1, 2, (3, 4)))]
