import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    start = torch.zeros(3)
    noise = torch.full((3,), 2.0, dtype=torch.float64)
    ones = torch.ones(3)
    total = torch.tensor(0.0)
    for each in (x, x * 2):
        total = total + each.sum()
    y = torch.maximum(x, start) * noise
    return y * torch.cat([ones]) + total + torch.arange(3.0)


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([1.0, 2.0, -3.0], requires_grad=True)
    return [(x,), (x * 2,), (-x,)]
