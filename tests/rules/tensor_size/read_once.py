import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    size = (x > 1).sum()
    made = torch.zeros(size)  # GM202
    return made + torch.ones(size)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(4.0)]
