import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    a = b = x
    if x.sum() > 0:  # GM101
        part = x.cos()
        a = part + 1
        part = x.sin()
        b = part + 2
    return a * b


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor]]:
    return [(torch.ones(3),), (-torch.ones(3),)]
