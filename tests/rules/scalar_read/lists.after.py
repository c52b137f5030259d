import torch


def forward(x: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
    x = x - x.detach().max()
    out = 0.0
    for size in sizes.detach().unbind():
        out = out + x * size
    for size_ in sizes.detach().clone().unbind():
        out += x / (size_ + 1)
    numbers = x.detach().clone().unbind()
    out = out + x * numbers[0] - numbers[-1] / 2
    low, high, _ = (x * 2).detach().unbind()
    out = out.clamp(low).clamp(max=high) + x * sizes.detach()[0] + _
    return x * out * sizes.detach().sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.5, 2.5, 4.0], requires_grad=True)
    return [(x, torch.tensor([2, 3])), (x, torch.tensor([0.5])), (-x, torch.tensor([2, 3]))]
