import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(~(x < 0).any(), "negative")
    elif (x < 0).any():
        raise ValueError("negative")
    if x.dim() == 1:
        x = x * 2
    else:
        x = x * 3
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3), torch.ones(1, 2)]
