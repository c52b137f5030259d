"""What a mask selects, computed element by element of the mask, and stored back."""

import torch
import torch.nn.functional as F
from torch import nn


class Mlp(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Linear(4, 8)
        self.down = nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.down(F.relu(self.up(x))) + x


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mlp = Mlp()
        self.first = nn.Sequential(nn.Linear(4, 4), nn.ReLU(inplace=True))
        self.second = nn.Linear(4, 4)

    def tokens(self, x: torch.Tensor) -> torch.Tensor:
        """The mask has two dimensions."""
        out = x * 2
        mask = x.sum(-1) > 0
        part = x[mask]  # GM501
        part = self.mlp(part) + out[mask]  # GM501
        out[mask] = part.to(out.dtype)
        return out

    def guarded(self, x: torch.Tensor) -> torch.Tensor:
        out = x.clone()
        mask = (x > 1).any(-1)
        if mask.any():
            out[mask] = self.first(out[mask]) * 2  # GM501
        return out

    def two(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        mask = x.amax(dim=-1) > 0.5
        out[mask] = self.first(x[mask])  # GM501
        rest = ~mask
        part = x[rest]  # GM501
        out[rest] = torch.cat([self.second(part), self.first(part)], dim=-1)[..., :4]
        return out

    def early(self, x: torch.Tensor) -> torch.Tensor:
        out = x + 1
        mask = x[..., 0] < 0
        if mask.sum() == 0:
            return out
        part = self.second(x[mask])  # GM501
        out[mask] -= part  # GM501
        return out

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.tokens(x), self.guarded(x), self.two(x), self.early(x)


torch.manual_seed(0)
model = Model()
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_((parameter * 8).round() / 8)  # sums are exact in any order


def forward(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return model(x)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.linspace(-0.75, 2, 24).mul(8).round().div(8).reshape(2, 3, 4).requires_grad_()
    return [(x,), (x - 4,), (x + 4,)]
