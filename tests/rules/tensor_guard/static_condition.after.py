import torch


def forward(x: torch.Tensor, check: bool = True) -> torch.Tensor:
    if torch.compiler.is_compiling():
        if check:
            torch._assert_async(torch.isfinite(x).all(), "x must be finite")
    elif check and not torch.isfinite(x).all():
        raise ValueError("x must be finite")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), True), (torch.full((2,), float('inf')), True), (torch.full((2,), float('inf')), False)]
