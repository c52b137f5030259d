import torch


def forward(x: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    out = torch.zeros_like(x)
    for index in range(x.shape[0]):
        mask = target[index] > 0
        if not mask.any() or mask.all():
            continue
        out[index][mask] = x[index][mask] * 2  # GM501
    return out


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    return [(torch.ones(2, 3), torch.tensor([[1, 0, 1], [0, 0, 0]]))]
