import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    mean = x.mean().item()  # GM201
    x = x.clamp(max=mean).masked_fill(x > 2, mean) + torch.where(x > mean, x, -mean)
    x = x + torch.full_like(y, mean) + torch.full_like(y, x.abs().max().item())  # GM201
    x = x - torch.full((3,), float(x.sum()))  # GM201
    x = x - torch.full((3,), (y > 1).sum().item())  # GM201
    total = y.sum().item()  # GM201
    x = x + torch.full((3,), total) + torch.tensor(total)
    x = x + torch.tensor(x.mean().item())  # GM201
    x += mean
    return x.mul_(1 - mean / 2)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.5, 2.5, -0.25], requires_grad=True)
    return [(x, torch.tensor([0.5, 1.5, 2.5])), (x, torch.tensor([0.5, 1.5, 2.5]).half()), (x, torch.tensor([0, 1, 2]))]
