from __future__ import annotations

from typing import Optional, Union

import torch
from torch import Tensor, nn


class Model(nn.Module):
    def forward(
        self,
        a: Tensor,
        b: "torch.LongTensor",
        c: Optional[torch.Tensor],
        d: Union[Tensor, list[Tensor]],
        e: dict[str, Tensor],
        f: tuple[Tensor, int],
        g: torch.dtype,
        h: nn.Linear,
        flag: bool = False,
    ):
        i = a  # kind: tensor
        j = b  # kind: tensor integer
        k = c  # kind: tensor | none
        m = d  # kind: tensor | container
        n = e["x"]  # kind: tensor
        o = f[1]  # kind: constant
        p = g  # kind: constant
        q = h(a)  # kind: tensor
        return i, j, k, m, n, o, p, q


def flagged(x: Tensor, flag: bool = False):
    r = flag  # kind: constant
    return x * r


def nested(x: Tensor, state: Optional[dict[str, Tensor]] = None):
    s = state  # kind: container | none
    t = state.get("self", 0)  # kind: unknown
    u = "key" in x  # kind: constant
    return s, t, u


@torch.compile
def main(x: Tensor):
    return flagged(x, x), nested(x, x)
