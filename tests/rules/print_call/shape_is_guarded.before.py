import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    print("shape", x.shape)  # GM301
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
