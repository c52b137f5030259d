"""Where a number is wanted: flagged if it is computed, or a floating input; whole numbers that come in are read."""

import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("slope", torch.tensor(0.5))

    def dropped(self, x: torch.Tensor) -> torch.Tensor:
        rate = x.abs().sum() * 0
        return F.dropout(x, rate)  # GM202

    def leaky(self, x: torch.Tensor) -> torch.Tensor:
        return F.leaky_relu(x, self.slope)  # GM202

    def padded(self, x: torch.Tensor) -> torch.Tensor:
        return F.pad(x, (1, 1), value=x.mean())  # GM202

    def forward(self, x: torch.Tensor, n: torch.Tensor) -> tuple[torch.Tensor, ...]:
        first = torch.full_like(x, n), x.new_full((2,), n), x.clamp(0, n), F.pad(x, (1, 1), value=1.0)
        plain = x.clamp(min=n), x.clamp(n, n + 1), x.masked_fill(x > 1, x.mean()), torch.full((3,), x.mean())
        return *first, *plain, self.dropped(x), self.leaky(x), self.padded(x)


forward = Model()


def inputs() -> list[object]:
    return [(torch.arange(3.0), torch.tensor(2))]
