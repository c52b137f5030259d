"""The words of random programs: expressions, conditions, and what writes them down line by line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from hypothesis import strategies as st

HEAD = """\
import logging

import torch
import torch.nn.functional as F
from torch import nn

logger = logging.getLogger("program")


class Scaler:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def inside(self, value):
        return (value >= self.low).all() and (value <= self.high).all()

    def project(self, value):
        return value.clamp(self.low, self.high)

    def draw(self, value):
        return value + torch.rand_like(value)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]]))
        self.register_buffer("state", torch.zeros(2, 3))
        self.linear = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)
        self.scaler = Scaler(-1.0, 1.0)
        self.limit = 1.5
        self.flag = True

    def half_of(self, value):
        return value * 0.5

    def mixed(self, value, other):
        left = value * 2.0
        return left + other

    def forward(self, x: torch.Tensor, y: torch.Tensor, flag: bool = False, m: torch.Tensor | None = None, n: int = 2):
"""
ATOMS = ("x", "y", "self.scale")
OPERATIONS = (
    "{a} * 2.0", "{a} + {b}", "{a} * {b}", "{a} - 1.0", "-{a}", "torch.relu({a})", "{a}.tanh()", "{a}.abs()",
    "{a} / 2", "torch.where({a} > 0, {a}, {b})", "{a}.masked_fill({a} > 1, 0.5)", "{a}.clamp(-2.0, 2.0).exp()",
    "torch.sqrt({a}.abs() + 1)", "{a} / ({b}.abs() + 1)", "{a}.clone()", "torch.zeros_like({a})", "{a}",
    "torch.maximum({a}, {b})", "{a}.sigmoid() * {b}", "{a}.flip(0)", "{a} * {b}.mean()", "1.0 - {a}",
    "{a}.contiguous()", "{a}.pow(2)", "F.gelu({a})", "({a} + {b}).clamp(min=0.0)", "{a}.softmax(-1)",
    "{a} * self.limit", "self.half_of({a})", "self.mixed({a}, {b})", "self.scaler.project({a})",
    "self.linear({a})", "self.linear({a}).tanh()",
)  # fmt: skip
RISKY = (
    "self.norm({a})", "torch.rand_like({a})", "F.dropout({a}, 0.5)", "{a}.add_(1.0)", "{a}.sqrt()",
    "{a}.detach()", "{a} / {b}", "{a}[[1, 0]]", "self.scaler.draw({a})", "{a}.log()", "{a}.view(2, 3)",
)  # fmt: skip
TESTS = (
    "{a}.sum() > 0", "{a}.mean() > {b}.mean()", "({a} > 0.5).any()", "not ({a} > -1).all()", "{a}.max() < self.limit",
    "{a}.abs().sum() > n", "torch.isnan({a}).any()", "{a}.sum().item() > 1", "bool(({a} > 2).any())", "{a}.any()",
    "torch.allclose({a}, {b})", "{a}.norm() > 1", "not {a}.sum() < 0", "0 < {a}[0, 0]", "{a}.min() != {b}.max()",
    "not self.scaler.inside({a})", "{a}.sum()", "torch.equal({a}, {b})", "{a}.max() > 0 and {b}.min() < 0",
    "{a}.max() > 1 or {b}.min() < -1", "flag and {a}.sum() > 0", "flag or {a}.sum() > 0", "n > 1 and {a}.mean() < 0",
    "m is not None and {a}.sum() > 0", "not flag and not {a}.sum() > 0", "self.flag and ({a} < 0).all()",
    "0 < {a}.sum() < 2", "0.5 in {a}", "{a}[0, 0] in (0.5, 1.0)", "any(v > 1 for v in {a}[0])",
    "all([v > 0 for v in {b}[1]])", "{a}.sum().item() > 0.1 and {b}.mean() < 1",
)  # fmt: skip
MASKS = ("{a} > 1", "{a} < -0.5", "torch.isnan({a})", "{a} == {b}", "~torch.isfinite({a})")
CALM = (
    "{a} * 0.5", "{a} + {b}", "{a} - 1.0", "torch.relu({a})", "{a}.tanh()", "-{a} + 0.25", "{a} * {b}", "{a} + row",
    "{a}.clamp(-2.0, 2.0) - {b}", "{a} * k", "torch.where({a} > 0, {a}, {b} * 2.0)", "{a}.abs() + near",
)  # fmt: skip
RARE = 12  #: one choice in so many is a risky one

T = TypeVar("T")


@dataclass
class Writer:
    """Writes one body, statement by statement."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    lines: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=lambda: list(ATOMS))
    locals: list[str] = field(default_factory=list)  #: names that may be set again
    margin: int = 2
    turn: str = ""  #: what the loop around gives: a row, or a number

    def one_of(self, *choices: T) -> T:
        chosen: T = self.draw(st.sampled_from(choices))
        return chosen

    def line(self, text: str) -> None:
        self.lines.append("    " * self.margin + text)

    def fill(self, template: str) -> str:
        return template.replace("{a}", self.one_of(*self.names)).replace("{b}", self.one_of(*self.names))

    def value(self) -> str:
        rare = self.draw(st.integers(0, RARE)) == RARE
        inner = self.fill(self.one_of(*(RISKY if rare else OPERATIONS)))
        if self.draw(st.booleans()):
            return inner
        return self.one_of(*OPERATIONS).replace("{a}", f"({inner})").replace("{b}", self.one_of(*self.names))

    def assign_calmly(self, name: str) -> None:
        """A value that may be computed in turns that do not count."""
        known = {"near": "near" in self.names, "row": self.turn == "row", "k": self.turn == "k"}
        choices = [each for each in CALM if all(known[word] for word in known if re.search(rf"\b{word}\b", each))]
        calm = self.draw(st.integers(0, 3))
        self.line(f"{name} = {self.fill(self.one_of(*choices)) if calm else self.value()}")

    def test(self) -> str:
        return self.fill(self.one_of(*TESTS))

    def target(self) -> str:
        return self.one_of(*self.locals) if self.locals and self.draw(st.booleans()) else self.one_of("a", "b", "c")

    def assign(self, name: str) -> None:
        self.line(f"{name} = {self.value()}")

    def assign_all(self, names: list[str]) -> None:
        for name in names:
            self.assign(name)

    def known(self, name: str) -> None:
        if name not in self.locals:
            self.locals.append(name)
            self.names.append(name)

    def block(self, write: Callable[[], None]) -> None:
        """One level deeper; what is set there alone is not known afterwards."""
        names, own = list(self.names), list(self.locals)
        self.margin += 1
        write()
        self.margin -= 1
        self.names, self.locals = names, own


def plain(writer: Writer, depth: int) -> None:
    name = writer.target()
    writer.assign(name)
    writer.known(name)
