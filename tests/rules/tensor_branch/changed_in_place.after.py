import torch
import torch.nn as nn


class Tracker(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("seen", torch.tensor(0))
        self.register_buffer("ready", torch.tensor(False))

    @torch.no_grad()
    def update(self, x: torch.Tensor) -> None:
        condition = ~self.ready
        self.mean.copy_(torch.where(condition, x.detach().mean(0), self.mean * 0.5))
        self.ready.copy_(torch.where(condition, True, self.ready))
        self.mean.copy_(
            torch.where(condition, self.mean, self.mean.add(x.mean(0), alpha=0.5))
        )
        self.seen.copy_(torch.where(x.sum() > 1, self.seen + 1, self.seen))

    def forward(self, x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        self.update(x)
        alias = out[0]
        y = x * 2
        condition = x.max() > 1
        y = torch.where(condition, y + 1, y)
        y = torch.where(condition, y.clamp(max=3), y)
        out.copy_(torch.where(condition, out + x, out))
        condition = out.min() < 0
        out[:1] = torch.where(condition, out[1:] * 2, out[:1])
        out[:, 1:] = torch.where(condition, out[:, 1:] * 3, out[:, 1:])
        return y + alias - self.mean + out


forward = Tracker


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    rows = torch.tensor([[1.0, -0.5, 0.25], [2.0, 0.5, -4.0]])
    return [(each, torch.ones(2, 3)) for each in (rows, -rows, rows, rows * 0.1)]
