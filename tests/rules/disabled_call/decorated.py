import torch


@torch.compiler.disable
def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def forward(x: torch.Tensor) -> torch.Tensor:
    return scale(x) + 1  # GM402


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
