import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    mask = x > 0
    return x[mask].sum()  # GM501


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
