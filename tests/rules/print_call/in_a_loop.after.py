import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    for i in range(2):
        x = x * 2
        torch._higher_order_ops.print("step {!s}", i)
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
