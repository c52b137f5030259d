import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    while x.norm() > 1:  # GM103
        x = x * 0.5
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.ones(3), -torch.ones(3)]
