import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    mean = x.mean().detach()
    x = x.clamp(max=mean).masked_fill(x > 2, mean) + torch.where(x > mean, x, -mean)
    x = x + torch.empty_like(y).fill_(mean) + torch.empty_like(y).fill_(x.abs().max().detach())
    x = x - torch.empty((3,)).fill_(x.sum().detach())
    x = x - torch.empty((3,), dtype=torch.int64).fill_((y > 1).sum())
    total = y.sum().detach()
    x = (
        x
        + torch.empty((3,), dtype=torch.get_default_dtype() if total.is_floating_point() else torch.int64).fill_(total)
        + torch.empty((), dtype=torch.get_default_dtype() if total.is_floating_point() else torch.int64).fill_(total)
    )
    x = x + torch.empty(()).fill_(x.mean().detach())
    x += mean
    return x.mul_(1 - mean / 2)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([1.5, 2.5, -0.25], requires_grad=True)
    return [(x, torch.tensor([0.5, 1.5, 2.5])), (x, torch.tensor([0.5, 1.5, 2.5]).half()), (x, torch.tensor([0, 1, 2]))]
