import torch


def forward(x: torch.Tensor, always: bool = False) -> torch.Tensor:
    if always:
        x = x * 2.0
    else:
        x = torch.where(x.sum() > 0, x * 2.0, x * 3.0)
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), True), (torch.ones(2), False), (-torch.ones(2), False)]
