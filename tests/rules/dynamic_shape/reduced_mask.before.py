import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    rows = (x > 1).any(-1)
    missing = torch.isnan(x).all(dim=1)
    total = x[rows].sum()  # GM501
    return total + x[missing].sum()  # GM501


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([[0.0, 2.0], [1.0, 0.5]]), torch.tensor([[0.0, 0.0], [3.0, 0.5]])]
