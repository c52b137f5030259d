"""Not flagged: Dynamo captures these."""

import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    assert (x > 0).all(), "not positive"
    assert x.sum() > 0
    return x.log()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(2)]
