import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    n = x[x > 2].shape[0]  # GM501
    many = len(torch.nonzero(y))  # GM501
    x = x * n + y * many
    x = x - (y > 0).nonzero().size(0) / x  # GM501
    return x + torch.full((3,), len(x[y > 1]))  # GM501


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.5, 2.5, 4.0], requires_grad=True)
    return [(x, torch.tensor([0, 1, 2])), (x, torch.tensor([0.0, 0.0, 0.0]))]
