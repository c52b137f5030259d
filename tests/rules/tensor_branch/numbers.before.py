import torch


def forward(x: torch.Tensor, m: torch.Tensor) -> torch.Tensor:
    scale = 1.0
    k = 1
    if x.sum() > 0:  # GM101
        scale = 2.0
        k = 3
    if x.max() > 2:  # GM101
        k *= 2
    n = 0
    for i in range(x.shape[0]):
        if x[i] > 0:  # GM101
            n += 1
        elif x[i] < -1:  # GM101
            n = n + 2
        else:
            n -= 1
    x = x * scale + x / k - x * n
    if torch.all(m == 1):  # GM101
        return x
    return x.masked_fill(m == 0, -1e9)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0, -3.0], requires_grad=True)
    m = torch.tensor([1, 0, 1])
    return [(x, m), (x.detach() * 3, torch.ones(3)), (x.detach().half() - 3, m), (x.detach() * torch.nan, m)]
