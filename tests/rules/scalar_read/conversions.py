import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    a = float(x.max())  # GM201
    b = int(x.sum())  # GM201
    return x * a + b


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
