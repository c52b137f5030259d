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
        part = x
        part = self.mlp(part) + out.clone()
        out.copy_(
            torch.where(
                mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)),
                part.to(out.dtype),
                out,
            )
        )
        return out

    def guarded(self, x: torch.Tensor) -> torch.Tensor:
        out = x.clone()
        mask = (x > 1).any(-1)
        if mask.numel() > 0:
            out.copy_(
                torch.where(
                    mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)),
                    self.first(out.clone()) * 2,
                    out,
                )
            )
        return out

    def two(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        mask = x.amax(dim=-1) > 0.5
        out.copy_(
            torch.where(
                mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)),
                self.first(x),
                out,
            )
        )
        rest = ~mask
        part = x.clone()
        out.copy_(
            torch.where(
                rest.reshape(rest.shape + (1,) * (out.ndim - rest.ndim)),
                torch.cat([self.second(part), self.first(part)], dim=-1)[..., :4],
                out,
            )
        )
        return out

    def early(self, x: torch.Tensor) -> torch.Tensor:
        out = x + 1
        mask = x[..., 0] < 0
        if mask.numel() == 0:
            return out
        part = self.second(x)
        out.copy_(
            torch.where(
                mask.reshape(mask.shape + (1,) * (out.ndim - mask.ndim)),
                out.clone() - part,
                out,
            )
        )
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
