import torch


def forward(x: torch.Tensor, checked: bool = True) -> torch.Tensor:
    message = f"{x.dim()} dimensions"
    if torch.compiler.is_compiling():
        if checked and x.dim() > 1:
            torch._assert_async(~torch.any(x.sum(1) > 100), "too large")
    elif (
        checked
        and x.dim() > 1
        and torch.any(x.sum(1) > 100)
    ):
        raise ValueError("too large")
    if torch.compiler.is_compiling():
        torch._assert_async(
            torch.all(x > -100) & torch.all(x.sum() + 1 != x.shape[0] + 1),
            "ValueError",
        )
    elif not (
        torch.all(x > -100)
        and torch.all(x.sum() + 1 != x.shape[0] + 1)
    ):
        raise ValueError(message)
    return x * 2


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2, 2),), (torch.ones(2),), (torch.ones(2, 2) * 200,), (torch.ones(2) * -200,)]
