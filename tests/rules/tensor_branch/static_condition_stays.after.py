import torch


def forward(x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    if mask is not None:
        x = torch.where(~mask.all(), x * 2.0, x)
    return x + 1


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [
        (torch.ones(2), torch.ones(2, dtype=torch.bool)),
        (torch.ones(2), torch.zeros(2, dtype=torch.bool)),
        (torch.ones(2),),
    ]
