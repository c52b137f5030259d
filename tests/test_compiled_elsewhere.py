"""Functions that numba or Triton compiles: neither is installed where tests run."""

from __future__ import annotations

from pathlib import Path

from graphmend_lint.engine import lint
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

TEXT = """\
import numba
import torch
import triton
from numba import cuda, njit


@numba.njit
def total(x):
    return sum(each for each in x if each > 0)


@njit(nogil=True, parallel=False)
def product(a, b):
    return a * b + 1


@numba.vectorize
def plus_one(a):
    return a + 1 if a > 0 else a


@cuda.jit()
def doubled(x, out):
    i = cuda.grid(1)
    if x[i] > 0:
        out[i] = x[i] * 2


def difference(a, b):
    return a - b


fast_difference = numba.jit(difference)
careful_difference = numba.jit(nopython=True)(difference)


@triton.autotune([], key=["n"])
@triton.jit
def fused(x, out, n):
    if x > 0:
        out = x


class Model(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        y = total(x.numpy())  # breaks
        if y > 0:
            x = x + 1
        z = product(x.shape[0], 2)  # breaks
        x = x + torch.from_numpy(plus_one(x.numpy()))  # breaks
        doubled[1, 4](x, out)  # breaks
        fused[(1,)](x, out, 4)
        x = x + fast_difference(2, 1)  # breaks
        return x + z + careful_difference(3, 1)  # breaks

"""


def test_calls_of_what_numba_compiles_break_and_nothing_inside_them_does() -> None:
    found = lint([Source(Path("model.py"), TEXT)], load_rules().values())
    marked = [row for row, line in enumerate(TEXT.splitlines(), 1) if line.endswith("# breaks")]
    assert [(each.code, each.span.start.row) for each in found] == [("GM401", row) for row in marked]
