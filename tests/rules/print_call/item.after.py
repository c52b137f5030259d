import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    torch._higher_order_ops.print("sum {}", x.sum())
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
