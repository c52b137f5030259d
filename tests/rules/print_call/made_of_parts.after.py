import torch


def forward(x: torch.Tensor, name: str = "a") -> torch.Tensor:
    torch._higher_order_ops.print("sum {!s} of 100% {!r}", x.sum(), name)
    torch._higher_order_ops.print(
        "{!s} {} {{}} {:.1f}|{!r}",
        x.shape[0],
        name,
        x.sum(),
        2,
    )
    torch._higher_order_ops.print("{!s} {!r} {!s}", x.sum(), name, None)
    return x * 2


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (torch.ones(3), "b"), (torch.ones(2).half(),)]
