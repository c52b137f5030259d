"""Indices that are passed to a module: it is given the mask."""

import torch
from torch import nn


class Fuse(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.local = nn.Sequential(nn.Conv1d(width, 2, 1), nn.BatchNorm1d(2), nn.ReLU(inplace=True), nn.Conv1d(2, width, 1))

    def forward(self, x: torch.Tensor, rest: torch.Tensor) -> torch.Tensor:
        weight = self.local(x + rest)
        return x * weight + rest * (1 - weight)


class Embed(nn.Module):
    def __init__(self, fuses: bool) -> None:
        super().__init__()
        self.fuses = fuses
        self.project = nn.Conv1d(1, 4, 2, stride=2)
        if fuses:
            self.fuse = Fuse(4)
            self.narrow = nn.Conv1d(1, 4, 4, stride=4)

    def forward(self, x: torch.Tensor, longer=None) -> torch.Tensor:
        out = self.project(x[:, 0:1, :])
        if self.fuses:
            width = out.size(-1)
            if len(longer) > 0:
                rest = x[:, 1:, :].contiguous()
                count, crops, length = rest.shape
                rest = self.narrow(rest.view(count * crops, 1, length))
                _, features, length = rest.shape
                rest = rest.view(count, crops, features, length).permute((0, 2, 1, 3)).contiguous().flatten(2)
                # the rest of the width is silence
                rest = torch.nn.functional.pad(rest, (0, width - rest.size(-1)), "constant", 0)
                out.copy_(
                    torch.where(
                        longer.reshape(longer.shape + (1,) * (out.ndim - 1)),
                        self.fuse(
                            out.clone(), rest
                        ),
                        out,
                    )
                )
        return out.flatten(1)


class Model(nn.Module):
    def __init__(self, fuses: bool = True) -> None:
        super().__init__()
        self.fuses = fuses
        self.embed = Embed(fuses)

    def forward(self, x: torch.Tensor, is_longer: torch.Tensor | None = None) -> torch.Tensor:
        longer = None
        if self.fuses:
            longer = (is_longer == 1).unsqueeze(-1).flatten(1).any(1)
        return self.embed(x, longer)


torch.manual_seed(0)
model = Model().eval()
with torch.no_grad():
    for parameter in model.parameters():
        parameter.copy_((parameter * 8).round() / 8)  # sums are exact in any order
    for module in model.modules():
        if isinstance(module, nn.BatchNorm1d):
            module.eps = 0.0


def forward(x: torch.Tensor, is_longer: torch.Tensor) -> torch.Tensor:
    return model(x, is_longer)


compiled = torch.compile(forward)


def inputs() -> list[object]:
    x = (torch.arange(3 * 3 * 8).reshape(3, 3, 8) % 7 / 4).requires_grad_()
    some, none, every = torch.tensor([[1], [0], [1]]), torch.zeros(3, 1), torch.ones(3, 1, dtype=torch.bool)
    return [(x, some), (x, none), (x, every)]
