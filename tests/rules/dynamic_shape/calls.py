import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    a = x.nonzero()  # GM501
    b = torch.where(x > 0)[0]  # GM501
    c = torch.unique(x)  # GM501
    return a.sum() + b.sum() + c.sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
