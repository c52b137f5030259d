import torch
from torch.nn.functional import cross_entropy


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    mask = y != -100
    loss = cross_entropy(x.flatten(0, -2), y.flatten(), ignore_index=-100)
    return 2 * loss


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[[0.0, 1.0, 2.0], [2.0, 4.0, 1.0]], [[5.0, 0.0, 3.0], [0.5, 0.25, 0.0]]], requires_grad=True)
    some, none = torch.tensor([[1, -100], [2, -100]]), torch.tensor([[-100, -100], [-100, -100]])
    return [(x, some), (x[0], some[0]), (x, none)]
