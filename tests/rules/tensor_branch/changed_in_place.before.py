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
        if not self.ready:  # GM101
            self.mean.copy_(x.detach().mean(0))
            self.ready.fill_(True)
        else:
            self.mean.mul_(0.5)
            self.mean.add_(x.mean(0), alpha=0.5)
        if x.sum() > 1:  # GM101
            self.seen += 1

    def forward(self, x: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        self.update(x)
        alias = out[0]
        y = x * 2
        if x.max() > 1:  # GM101
            y += 1
            y.clamp_(max=3)
            out.add_(x)
        if out.min() < 0:  # GM101
            out[:1] = out[1:] * 2
            out[:, 1:] *= 3
        return y + alias - self.mean + out


forward = Tracker


def inputs() -> list[tuple[torch.Tensor, torch.Tensor]]:
    rows = torch.tensor([[1.0, -0.5, 0.25], [2.0, 0.5, -4.0]])
    return [(each, torch.ones(2, 3)) for each in (rows, -rows, rows, rows * 0.1)]
