import torch


def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2


eager_scale = torch.compiler.disable(scale)


def forward(x: torch.Tensor) -> torch.Tensor:
    return eager_scale(x) + 1  # GM402


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
