import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    low = x.min()
    # the caller should know
    if torch.compiler.is_compiling():
        torch._assert_async(~(low < 0), "x must not be negative, got ...")
    elif low < 0:
        raise ValueError(f"x must not be negative, got {low}")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
