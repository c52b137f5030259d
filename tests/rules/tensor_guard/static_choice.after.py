import torch


def forward(x: torch.Tensor, quick: bool = False, strict: bool = True, check: bool = True) -> torch.Tensor:
    if torch.compiler.is_compiling():
        if (strict if quick else check) and check:
            torch._assert_async(~(x.min() < 0), "negative")
    elif (strict if quick else check) and check and x.min() < 0:
        raise ValueError("negative")
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    good = torch.ones(2)
    return [(good,), (-good,), (-good, True, True, False), (-good, True, False, True), (-good, False, True, False)]
