import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    big = torch.nonzero(x > 2, as_tuple=True)  # GM501
    total = x[big].sum() + (y * 2).exp().sum()
    y = y.clone()
    y[torch.where(y > 1)] = 0.5  # GM501
    low = (x < 0).nonzero(as_tuple=True)  # GM501
    y[low] = 2.0
    y = y + y[low].sum() * x[low].mean().nan_to_num()
    return y * total + x[torch.where(x < 2)].mean()  # GM501


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[1.5, -2.5], [4.0, 3.0]], requires_grad=True)
    return [(x, torch.tensor([[0.0, 1.0], [2.0, 3.0]])), (x, torch.tensor([[0.0, -1.0], [5.0, 0.0]]))]
