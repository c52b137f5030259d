# all rules
import torch


def forward(x: torch.Tensor, s: torch.Tensor) -> torch.Tensor:
    y = torch.zeros(x.shape)
    mask = s > 0.5
    if mask.any():  # GM101
        high = x * 2 + 1
        y[mask] = high[mask]
    if not mask.all():  # GM101
        low = x - 1
        y[~mask] = low[~mask]
    return y


compiled = torch.compile(forward)


def inputs() -> list[tuple[torch.Tensor, ...]]:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [float("nan"), 5.0]], requires_grad=True)
    return [(x, torch.tensor(s)) for s in ([0.0, 1.0, 0.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0], [0.0, 1.0, 1.0])]
