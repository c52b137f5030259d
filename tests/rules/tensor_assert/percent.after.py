import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async(x.sum() != 0, "sum of ... elements is 0 %")
    else:
        assert x.sum() != 0, "sum of %d elements is 0 %%" % x.shape[0]
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.zeros(3)]
