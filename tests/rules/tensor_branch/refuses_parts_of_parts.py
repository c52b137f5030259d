import torch


def forward(x: torch.Tensor, tilt: torch.Tensor, flag: torch.Tensor) -> torch.Tensor:
    if (tilt > 2).any() or ((flag > 0).any() and tilt[3] > 0):  # GM101
        x = x * tilt[3]
    return x


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:
    x, flag = torch.ones(2), torch.ones(1)
    return [(x, torch.ones(4), flag), (x, torch.ones(2), -flag), (x, torch.full((4,), 3.0), -flag)]
