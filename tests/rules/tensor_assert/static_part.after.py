import torch


def forward(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    if torch.compiler.is_compiling():
        assert mask is not None, "mask of ... must hold"
        torch._assert_async(mask.all(), "mask of ... must hold")
    else:
        assert mask is not None and mask.all(), f"mask of {x.shape} must hold"
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), torch.ones(2, dtype=torch.bool)), (torch.ones(2), torch.zeros(2, dtype=torch.bool))]
