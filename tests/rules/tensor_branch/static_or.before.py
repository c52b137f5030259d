import torch


def forward(x: torch.Tensor, always: bool = False) -> torch.Tensor:
    if always or x.sum() > 0:  # GM101
        x = x * 2.0
    else:
        x = x * 3.0
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), True), (torch.ones(2), False), (-torch.ones(2), False)]
