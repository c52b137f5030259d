import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    t = x.exp()
    if t.sum() > 3:  # GM101
        t = x.cos()
        y = t * 2
    else:
        y = t * 3
    return y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor]]:
    return [(torch.ones(3),), (-torch.ones(3),)]
