# all rules
import torch


def forward(x: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    y = torch.zeros(x.shape)
    mask = s > 0.5
    high = x * 2 + 1
    y.copy_(torch.where(mask.reshape(mask.shape + (1,) * (y.ndim - mask.ndim)), high, y))
    low = x - 1
    chosen = ~mask
    y.copy_(torch.where(chosen.reshape(chosen.shape + (1,) * (y.ndim - chosen.ndim)), low, y))
    return y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [float("nan"), 5.0]], requires_grad=True)
    return [(x, torch.tensor(s)) for s in ([0.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 1.0, 1.0])]
