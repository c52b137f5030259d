import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    rows = (x > 1).any(-1)
    missing = torch.isnan(x).all(dim=1)
    total = x.index_put((~rows,), x.new_zeros(())).sum()
    return total + x.index_put((~missing,), x.new_zeros(())).sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([[0.0, 2.0], [1.0, 0.5]]), torch.tensor([[0.0, 0.0], [3.0, 0.5]])]
