import torch


def count(x: torch.Tensor) -> torch.Tensor:
    return x.nonzero().shape[0] + (x > 1).sum()


def make(size: torch.Tensor) -> torch.Tensor:
    return torch.zeros(size)


def make_anew(size: torch.Tensor) -> torch.Tensor:
    return torch.ones(size)  # GM202


def forward(x: torch.Tensor) -> torch.Tensor:
    size = count(x)
    return make(size) + make_anew((x > 1).sum()).sum()


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(4.0)]
