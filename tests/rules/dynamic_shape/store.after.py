import torch


def forward(x: torch.Tensor, y: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, ...]:
    alias = x = x * 1
    big = x > 1
    x.copy_(torch.where(big, y / x, x))
    used = rows != 0
    x.copy_(
        torch.where(
            used.reshape(used.shape + (1,) * (x.ndim - used.ndim)),
            -y * 2 + 1,
            x,
        )
    )
    # The small ones.
    x.copy_(torch.where(~big, x + 1.0, x))  # grow
    z = y.clone()
    keep = z > 0
    z.copy_(torch.where(keep, y, z))
    return alias, x, z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[0.0, 2.0], [3.0, -4.0]], requires_grad=True)
    y = torch.tensor([[1.0, float("nan")], [3.0, 5.0]], requires_grad=True)
    return [(x, y, torch.tensor([1, 0])), (x, y, torch.tensor([0, 0]))]
