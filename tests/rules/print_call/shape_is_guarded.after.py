import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if not torch.compiler.is_compiling():
        print("shape", x.shape)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
