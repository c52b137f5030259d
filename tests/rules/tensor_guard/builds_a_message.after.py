import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if torch.compiler.is_compiling():
        torch._assert_async((x > 0).all(), "... elements are not positive")
    elif not (x > 0).all():
        count = (x <= 0).sum()
        message = f"{count} elements are not positive"
        raise ValueError(message)
    return x.log()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
