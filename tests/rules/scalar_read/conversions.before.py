import torch


def forward(x: torch.Tensor, n: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    a = float(x.max())  # GM201
    b = int(x.sum())  # GM201
    c = float((n > 1).sum())  # GM201
    d = float(s.item())  # GM201
    e = int(s)  # GM201
    return x * a + b - n * c * d / e


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.5, 2.5, -0.2], requires_grad=True)
    return [(x, torch.tensor([1, 2, 3]), torch.tensor([2.5])), (x, torch.tensor([1, 2, 3]), torch.tensor([[-7.5]]))]
