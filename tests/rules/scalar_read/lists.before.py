import torch


def forward(x: torch.Tensor, sizes: torch.Tensor) -> torch.Tensor:
    x = x - max(x.tolist())  # GM201
    out = 0.0
    for size in sizes.tolist():  # GM201
        out = out + x * size
    for size_ in sizes.tolist():  # GM201
        out += x / (size_ + 1)
    numbers = x.tolist()  # GM201
    out = out + x * numbers[0] - numbers[-1] / 2
    low, high, _ = (x * 2).tolist()  # GM201
    out = out.clamp(low).clamp(max=high) + x * sizes.tolist()[0] + _  # GM201
    return x * out * sum(sizes.tolist())  # GM201


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.5, 2.5, 4.0], requires_grad=True)
    return [(x, torch.tensor([2, 3])), (x, torch.tensor([0.5])), (-x, torch.tensor([2, 3]))]
