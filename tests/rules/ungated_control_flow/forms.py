import torch
from torch import nn


class forward(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))  # GM902
        return torch.linalg.cond(torch.eye(2)) + x


class Gated(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if torch.compiler.is_compiling():
            return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))
        return torch.sin(x) if x.sum() > 0 else torch.cos(x)


@torch.compile
def compiled(x: torch.Tensor) -> torch.Tensor:
    return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))


def inputs():
    return [(torch.ones(2),), (-torch.ones(2),)]
