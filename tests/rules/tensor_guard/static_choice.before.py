import torch


def forward(x: torch.Tensor, quick: bool = False, strict: bool = True, check: bool = True) -> torch.Tensor:
    if (strict if quick else check) and check and x.min() < 0:  # GM105
        raise ValueError("negative")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    good = torch.ones(2)
    return [(good,), (-good,), (-good, True, True, False), (-good, True, False, True), (-good, False, True, False)]
