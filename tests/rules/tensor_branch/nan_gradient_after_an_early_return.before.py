import torch


def forward(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:  # GM101
        return x * 2
    root = x.sqrt()
    return root * 3


compiled = torch.compile(forward)


def inputs() -> list[object]:
    return [torch.tensor([4.0, -1.0]), torch.tensor([-4.0, 1.0])]
