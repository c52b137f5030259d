import torch


def forward(x: torch.Tensor, y: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, ...]:
    alias = x = x * 1
    big = x > 1
    x[big] = (y / x)[big]  # GM501
    used = rows != 0
    x[used] = -y[used] * 2 + 1  # GM501
    # The small ones.
    x[~big] += 1.0  # grow  # GM501
    z = y.clone()
    keep = z > 0
    z[keep] = y[keep]  # GM501
    return alias, x, z


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.tensor([[0.0, 2.0], [3.0, -4.0]], requires_grad=True)
    y = torch.tensor([[1.0, float("nan")], [3.0, 5.0]], requires_grad=True)
    return [(x, y, torch.tensor([1, 0])), (x, y, torch.tensor([0, 0]))]
