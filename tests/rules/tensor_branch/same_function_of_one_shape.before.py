import torch


def forward(x: torch.Tensor, rows: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
    if x.sum() > 0:  # GM101
        y = x[:rows].mean(dim=-1, keepdim=True) + 1
    else:
        y = x[:rows].mean(dim=-1, keepdim=True) - 1
    if x.max() > 2:  # GM101
        z = x.t().contiguous()
    else:
        z = x.t() * 2
    return y, z


def inputs() -> list[torch.Tensor]:
    return [torch.ones(3, 2), -torch.ones(3, 2), torch.full((3, 2), 3.0)]


compiled = torch.compile(forward)
