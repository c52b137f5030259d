import torch


def forward(x: torch.Tensor, n: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    a = x.max().detach().mul(1.0)
    b = x.sum().to(torch.int64)
    c = (n > 1).sum().mul(1.0)
    d = s.detach().reshape(()).mul(1.0)
    e = s.reshape(()).to(torch.int64)
    return x * a + b - n * c * d / e


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.5, 2.5, -0.2], requires_grad=True)
    return [(x, torch.tensor([1, 2, 3]), torch.tensor([2.5])), (x, torch.tensor([1, 2, 3]), torch.tensor([[-7.5]]))]
