import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(x.sum() != 0, "empty")
    elif x.sum() == 0:
        raise RuntimeError("empty")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.zeros(3)]
