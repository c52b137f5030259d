"""Rows that are selected, computed from themselves alone, and stored back."""

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 4))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        both = x + y
        return 2 * x * torch.relu(self.net(both)) + y


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = Block()
        self.first = nn.Linear(4, 4)
        self.convolve = nn.Conv1d(1, 2, 3, padding=1)

    def named(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """The indices have a name, and a test asks whether there are any."""
        out = self.first(x)
        rows = (keep != 0).unsqueeze(-1).flatten(1).any(1)
        if len(rows) > 0:
            part = x[:, None, :]
            count, channels, width = part.shape
            part = self.convolve(part.reshape(count * channels, 1, width))
            part = part.view(count, channels * 2, width).mean(dim=1)
            out.copy_(
                torch.where(
                    rows.reshape(rows.shape + (1,) * (out.ndim - 1)),
                    self.block(out.clone(), part),
                    out,
                )
            )
        return out

    def early(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        out = x.clone()
        rows = keep != 0
        if rows.numel() == 0:
            return out
        out.copy_(torch.where(rows.reshape(rows.shape + (1,) * (out.ndim - 1)), F.relu(self.first(x)), out))
        return out

    def several(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """A row is selected if anything in it is; its gradient would have counted each time."""
        out = x.detach() * 2
        rows = (x > 0.5).unsqueeze(-1).flatten(1).any(1)
        if rows.shape[0]:
            out.copy_(torch.where(rows.reshape(rows.shape + (1,) * (out.ndim - 1)), out.clone().relu(), out))
        return out

    def loop(self, x: torch.Tensor, which: torch.Tensor) -> torch.Tensor:
        out = torch.zeros_like(x)
        for expert in range(2):
            rows = which == expert
            if rows.numel() == 0:
                continue
            out.add_(
                torch.where(
                    rows.reshape(rows.shape + (1,) * (out.ndim - 1)),
                    self.first(x) * (expert + 1),
                    0,
                )
            )
            out.copy_(torch.where(rows.reshape(rows.shape + (1,) * (out.ndim - 1)), out.clone() + x, out))
        return out

    def changed(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """What is taken out is changed in place, which must not reach the whole."""
        out = x.clone()
        rows = (keep != 0).unsqueeze(-1).flatten(1).any(1)
        part = x.clone()
        part += 1
        out.copy_(torch.where(rows.reshape(rows.shape + (1,) * (out.ndim - 1)), part, out))
        return out + x

    def aliases(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        """Two names for one tensor, which is changed in place after its gradient has been prepared."""
        out = x * 2
        same = out
        rows = keep != 0
        same.copy_(
            torch.where(
                rows.reshape(rows.shape + (1,) * (same.ndim - 1)),
                self.first(out.clone()) * out.clone(),
                same,
            )
        )
        return out + same

    def forward(self, x: torch.Tensor, keep: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (
            self.aliases(x, keep),
            self.named(x, keep),
            self.early(x, keep),
            self.several(x, keep),
            self.loop(x, keep.long()),
            self.changed(x, keep),
        )


def forward(x: torch.Tensor, keep: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return model(x, keep)


torch.manual_seed(0)
model = Model()
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_((parameter * 8).round() / 8)  # sums are exact in any order
compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = torch.linspace(-0.75, 2, 12).reshape(3, 4).requires_grad_()
    some, none, every = torch.tensor([True, False, True]), torch.zeros(3, dtype=torch.bool), torch.ones(3).bool()
    return [(x, some), (x, none), (x, every), (x - 2, some)]
