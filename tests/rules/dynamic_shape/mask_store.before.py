import torch


def forward(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x[x > 1] += 1.0  # GM501
    return x * y


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.arange(3.0), torch.ones(3))]
