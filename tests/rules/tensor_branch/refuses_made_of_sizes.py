import torch


def forward(x: torch.Tensor, n: int) -> tuple[torch.Tensor, torch.Tensor]:
    size = torch.tensor(x.shape).prod()
    if size > 4:  # GM101
        x = torch.cat([x, x])
    part = size / n
    if part > 4:  # GM101
        x = torch.cat([x, x])
    return x, size


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), 2), (torch.ones(8), 0)]
