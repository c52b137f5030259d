import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * 2, bool((x > 0).all())  # GM104


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
