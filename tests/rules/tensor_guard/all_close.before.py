import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    if not torch.allclose(x, y, atol=1e-3):  # GM105
        raise ValueError("x and y differ")
    return x + y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), torch.ones(2)), (torch.ones(2), torch.zeros(2))]
