"""Numbers that torch has to know while it traces: `fullgraph=True` does not take these breaks."""

import torch
import torch.nn.functional as F


@torch.compile
def turns(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    for _ in range(n.item()):
        x = x + 1
    return x


@torch.compile
def chosen(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    k = int(n)
    return [x, x * 2][k]


@torch.compile
def indexed(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    return [x, x * 2][n]


@torch.compile
def steps(x: torch.Tensor, n: torch.Tensor) -> torch.Tensor:
    return torch.linspace(0, 1, int(n)).sum() + x


@torch.compile
def rate(x: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    return F.dropout(x, p=p.item() / 2)


@torch.compile
def power(x: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    return x ** (1 - p.item())


@torch.compile
def middle(x: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
    share = p.item()
    return x.quantile(share)


def forward(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def inputs() -> list[torch.Tensor]:
    return [torch.ones(3)]
