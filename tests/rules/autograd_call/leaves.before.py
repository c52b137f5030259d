import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    start = torch.zeros(3, requires_grad=True)  # GM403
    noise = torch.full((3,), 2.0, requires_grad=True, dtype=torch.float64)  # GM403
    ones = torch.ones(3).requires_grad_()  # GM403
    total = torch.tensor(0.0, requires_grad=True)  # GM403
    for each in (x, x * 2):
        total = total + each.sum()
    y = torch.maximum(x, start) * noise
    return y * torch.cat([ones]) + total + torch.arange(3.0, requires_grad=True)  # GM403


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0, -3.0], requires_grad=True)
    return [(x,), (x * 2,), (-x,)]
