import torch


def forward(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(mask.sum() == x.shape[0], "mask and x differ")
    elif mask.sum().item() != x.shape[0]:
        raise ValueError("mask and x differ")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), torch.ones(2)), (torch.ones(2), torch.zeros(2))]
