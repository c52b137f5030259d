import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    for i in range(2):
        x = x * 2
        print("step", i)  # GM301
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
