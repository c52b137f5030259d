import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    scale = x.max().detach()
    return x * scale


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
