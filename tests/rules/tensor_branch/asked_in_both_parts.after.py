import torch


def forward(x: torch.Tensor, tilt: torch.Tensor) -> torch.Tensor:
    angle = tilt[..., 2:3].cos()
    angle = angle + tilt[..., 3:4].sin() * tilt[..., 2].sum() * tilt[..., 3].sum()
    x = torch.where((tilt[..., 2] != 0).any() | (tilt[..., 3] != 0).any(), x * angle, x)
    return x


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    x = torch.ones(2, 3, requires_grad=True)
    return [(x, torch.zeros(2, 4)), (x, torch.tensor([[0.0, 0.0, 1.0, 0.0]] * 2)), (x, torch.full((2, 4), 0.5))]
