import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    places = x > 0
    y[places] = -1.0
    return y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(-2.0, 2.0), torch.ones(4)), (torch.arange(-2.0, 2.0), torch.ones(4, 2, dtype=torch.int64))]
