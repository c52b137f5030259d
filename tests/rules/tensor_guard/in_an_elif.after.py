import torch


def forward(x: torch.Tensor, skip: bool = False) -> torch.Tensor:
    if skip:
        return x * 2
    elif torch.compiler.is_compiling():
        torch._assert_async(~(x < 0).any(), "negative")
    elif (x < 0).any():
        raise ValueError("negative")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2), -torch.ones(2), (-torch.ones(2), True)]
