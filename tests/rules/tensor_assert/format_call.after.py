import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async((x > 0).all(), "not positive: ...")
    else:
        assert (x > 0).all(), "not positive: {}".format(x.min())
    return x.log()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
