import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(torch.isclose(x, y, atol=1e-3).all(), "x and y differ")
    elif not torch.allclose(x, y, atol=1e-3):
        raise ValueError("x and y differ")
    return x + y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), torch.ones(2)), (torch.ones(2), torch.zeros(2))]
