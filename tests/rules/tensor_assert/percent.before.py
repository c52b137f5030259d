import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    assert x.sum() != 0, "sum of %d elements is 0 %%" % x.shape[0]  # GM106
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), torch.zeros(3)]
