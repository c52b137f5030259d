import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    # stays
    torch._assert_async(x.sum() > 0)  # GM901
    torch._assert_async(  # GM901
        (x > -1)
        .all()
    )
    torch._assert_async((x > -9).all(), "too small")
    return x + 1


compiled = torch.compile(forward)


def inputs():
    return [(torch.ones(2),), (-torch.ones(2),)]
