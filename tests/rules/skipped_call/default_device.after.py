import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    return x.to(torch.tensor([]).device)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.arange(3.0)]
