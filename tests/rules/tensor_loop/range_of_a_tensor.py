import torch


def forward(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    for _ in range(n.sum()):  # GM103
        x = x * 2
    return x


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.ones(2), torch.tensor([1, 2]))]
