import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() == 0:  # GM105
        raise RuntimeError("empty")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.zeros(3)]
