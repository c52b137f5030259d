import torch


def forward(size: torch.Tensor, draws: torch.Tensor) -> torch.Tensor:
    first = size[1] * 2
    size = size[:1]
    if draws.sum() > 0:  # GM101
        draws = draws + size[1]
        first = first * 3
    for _ in range(2):
        if draws.sum() > 1:  # GM101
            draws = draws + size[2]
            first = first * 4
        draws = draws * first
    return draws


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [(torch.tensor([2.0, 3.0]), torch.tensor([-0.1])), (torch.tensor([2.0, 3.0]), torch.tensor([0.1]))]
