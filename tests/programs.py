"""Small random programs with control flow on tensors.

All tensors of a program have one shape and one floating dtype: what fixes ask for that are not safe.
"""

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

    def body(self, depth: int) -> None:
        for _ in range(self.draw(st.integers(1, 4))):
            self.one_of(*STATEMENTS)(self, depth)


def plain(writer: Writer, depth: int) -> None:
    name = writer.target()
    writer.assign(name)
    writer.known(name)


def both_set(writer: Writer, depth: int) -> None:
    targets = [writer.target()] + ([writer.one_of("a", "b", "c")] if writer.draw(st.booleans()) else [])
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.assign_all(targets))
    if writer.draw(st.booleans()):
        writer.line(f"elif {writer.test()}:")
        writer.block(lambda: writer.assign_all(targets))
    writer.line("else:")
    writer.block(lambda: writer.assign_all(targets[::-1]))
    for name in targets:
        writer.known(name)


def one_sets(writer: Writer, depth: int) -> None:
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.assign(name))


def nested(writer: Writer, depth: int) -> None:
    if depth > 1:
        return plain(writer, depth)
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.one_of(*STATEMENTS)(writer, depth + 1))
    if writer.draw(st.booleans()):
        writer.line("else:")
        writer.block(lambda: writer.one_of(*STATEMENTS)(writer, depth + 1))
    return None


def ternary(writer: Writer, depth: int) -> None:
    name = writer.target()
    if writer.draw(st.booleans()):
        writer.line(f"{name} = {writer.value()} if {writer.test()} else {writer.value()}")
    else:
        low, high = writer.one_of((0.5, 2.0), (1, 3))
        writer.line(f"{name} = {writer.one_of(*writer.names)} * ({low} if {writer.test()} else {high})")
    writer.known(name)


def early_return(writer: Writer, depth: int) -> None:
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(f"return {writer.value()}"))


def both_return(writer: Writer, depth: int) -> None:
    early_return(writer, depth)
    if depth == 0:
        writer.line("else:")
        writer.block(lambda: writer.line(f"return {writer.value()}"))


def idle_guard(writer: Writer, depth: int) -> None:
    """A store needs a tensor that no gradient needs."""
    name, stores = writer.target(), writer.draw(st.booleans())
    if stores or name not in writer.locals:
        writer.line(f"{name} = {writer.fill('{a} * 2.0') if stores else writer.value()}")
        writer.known(name)
    mask = writer.fill(writer.one_of(*MASKS).replace("{a}", name))
    work = (f"{name} = {name}.masked_fill({mask}, 0.5)", f"{name} = torch.where({mask}, {writer.value()}, {name})")
    writer.line(f"if {writer.one_of(f'({mask}).any()', f'torch.any({mask})')}:")
    writer.block(lambda: writer.line(f"{name}[{mask}] = 0.0" if stores else writer.one_of(*work)))


def projected(writer: Writer, depth: int) -> None:
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line(f"if not self.scaler.inside({name}):")
    writer.block(lambda: writer.line(f"{name} = self.scaler.project({name})"))


def raising(writer: Writer, depth: int) -> None:
    writer.line(f"if {writer.test()} and {writer.fill('{a}.max() > 3')}:")
    error = writer.one_of('ValueError("too large")', 'RuntimeError(f"more than {n}")')
    writer.block(lambda: writer.line(f"raise {error}"))


def asserting(writer: Writer, depth: int) -> None:
    message = writer.one_of(', "text"', ', f"not more than {n}"')
    writer.line(f"assert {writer.fill('{a}.min() < 5')}{message}")


def speaking(writer: Writer, depth: int) -> None:
    text = writer.one_of('print("seen", n)', 'print(f"n is {n}")', 'logger.info("seen %s", n)')
    if writer.draw(st.booleans()):
        return writer.line(text)
    writer.line(f"if {writer.test()}:")
    return writer.block(lambda: writer.line(text))


def augmented(writer: Writer, depth: int) -> None:
    name = writer.target()
    if name not in writer.locals:
        writer.line(f"{name} = {writer.fill('{a} * 1.5')}")
        writer.known(name)
    line = f"{name} {writer.one_of('+=', '*=', '-=')} {writer.one_of('2.0', writer.fill('{a}'))}"
    if writer.draw(st.booleans()):
        return writer.line(line)
    writer.line(f"if {writer.test()}:")
    return writer.block(lambda: writer.line(line))


def stored(writer: Writer, depth: int) -> None:
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(f"self.state = {writer.value()}"))
    if writer.draw(st.booleans()):
        writer.line("else:")
        writer.block(lambda: writer.line(f"self.state = {writer.value()}"))


def masked_loop(writer: Writer, depth: int) -> None:
    writer.turn = ""
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line("for _ in range(3):")

    def body() -> None:
        writer.assign_calmly(name)
        writer.line(f"if {writer.test()}:")
        writer.block(lambda: writer.line("break"))

    writer.block(body)


def loop(writer: Writer) -> None:
    writer.turn = writer.one_of("k", "row")
    writer.line("for k in range(3):" if writer.turn == "k" else f"for row in {writer.one_of(*writer.names)}:")


def skipping_loop(writer: Writer, depth: int) -> None:
    """Turns are cut short, or the loop ends, in several ways."""
    if not writer.locals:
        plain(writer, depth)
    name, other = writer.one_of(*writer.locals), writer.one_of(*writer.locals)
    loop(writer)

    def body() -> None:
        if writer.draw(st.booleans()):
            writer.assign_calmly("near")
            writer.known("near")
        for _ in range(writer.draw(st.integers(1, 2))):
            writer.assign_calmly(name)
            writer.line(f"if {writer.test()}:")
            writer.block(lambda: leaving(writer, other))
        writer.assign_calmly(other)

    writer.block(body)


def leaving(writer: Writer, name: str) -> None:
    if writer.draw(st.booleans()):
        writer.assign_calmly(name)
    writer.line(writer.one_of("break", "continue", "continue"))


def returning_loop(writer: Writer, depth: int) -> None:
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    loop(writer)

    def body() -> None:
        writer.assign_calmly(name)
        writer.line(f"if {writer.test()}:")
        writer.block(lambda: writer.line(f"return {writer.one_of(name, writer.value(), f'{name} * 2.0')}"))

    writer.block(body)


def bounded_loop(writer: Writer, depth: int) -> None:
    """Python counts, too."""
    writer.turn = ""
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line("turns = 0")
    writer.line(f"while {writer.one_of('turns < 3 and ', 'turns < n and ')}{writer.fill(writer.one_of(*TESTS[:7]))}:")

    def body() -> None:
        writer.assign_calmly(name)
        writer.line("turns += 1")
        if writer.draw(st.booleans()):
            writer.line(f"{name} = {name} * 0.5 + turns")

    writer.block(body)


def endless_loop(writer: Writer, depth: int) -> None:
    """A value that shrinks, whatever it is at first."""
    shape = writer.one_of(*SHRINKING)
    if not writer.locals:
        plain(writer, depth)
    name, other = writer.one_of(*writer.locals), writer.one_of(*writer.locals)
    mixed = writer.fill(writer.one_of("{a} * 0.5", "{a} + {b}", "{b}", "{a}.tanh() + {b}"))
    for line in shape.replace("{name}", name).replace("{other}", other).replace("{mixed}", mixed).split("|"):
        writer.line(line)


SHRINKING = (
    "while {name}.abs().max() > 1:|    {name} = ({name} * 0.5).clamp(-4.0, 4.0)",
    "while {name}.abs().max().item() > 1:|    part = ({name} * 0.5).clamp(-4.0, 4.0)|    {name} = part * 0.75",
    "if {name} is not {other}:|    while not {name}.abs().max() < 1 and not torch.isnan({name}).any():"
    "|        {name} = ({name} * 0.5).clamp(-4.0, 4.0)|        {other} = {other} * 0.5 + {name}",
    "{other} = {mixed}|while {name}.abs().max() > 1:|    {name} = ({name} * 0.5).clamp(-4.0, 4.0)",
    "while True:|    {name} = ({name} * 0.5).clamp(-4.0, 4.0)|    if not {name}.abs().max() > 1:|        break",
    "while True:|    part = ({name} * 0.5).clamp(-4.0, 4.0)|    if not part.abs().max() > 1:|        break"
    "|    {name} = part * 0.5",
    "count = ({name} > 0).sum()|for k in range(count):|    {name} = {name} * 0.5 + k",
    "count = ({other} > 1).sum()|for k in range(count):|    {name} = {name} * 0.5 + {mixed} * 0.25",
)


def summing_loop(writer: Writer, depth: int) -> None:
    """A list of as many tensors as turns count."""
    writer.turn = ""
    name, total = writer.target(), writer.one_of("sum(seen)", "torch.stack(seen).sum(0)")
    writer.line(f"{name} = {writer.value()}")
    writer.known(name)
    writer.line("seen = []")
    writer.line("for _ in range(3):")

    def body() -> None:
        writer.assign_calmly(name)
        writer.line(f"seen.append({writer.one_of(name, f'{name} * 2.0')})")
        writer.line(f"if {writer.test()}:")
        writer.block(lambda: writer.line("break"))

    writer.block(body)
    writer.line(f"{name} = {total}")


def container(writer: Writer, depth: int) -> None:
    """A list or dict that a branch changes."""
    name = writer.target()
    is_list = writer.draw(st.booleans())
    writer.line(f"held = {'[' if is_list else '{'}{'' if is_list else '0: '}{writer.value()}{']' if is_list else '}'}")
    store = "held.append({})" if is_list and writer.draw(st.booleans()) else "held[0] = {}"
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(store.format(writer.value())))
    if "append" in store or writer.draw(st.booleans()):
        writer.line("else:")
        writer.block(lambda: writer.line(store.format(writer.value())))
    writer.line(f"{name} = held[{-1 if is_list else 0}]")
    writer.known(name)


def in_place(writer: Writer, depth: int) -> None:
    name = writer.target()
    writer.line(f"{name} = {writer.fill('{a} * 1.5')}")
    writer.known(name)
    change = writer.one_of(".add_(1.0)", f".mul_({writer.one_of(*writer.names)})", "[0] = 2.0", "[:, 1] *= 2.0")
    writer.line(f"if {writer.test()}:")
    writer.block(lambda: writer.line(name + change))


STATEMENTS = (
    plain, both_set, both_set, one_sets, one_sets, nested, ternary, early_return, both_return, idle_guard, projected,
    raising, asserting, speaking, augmented, stored, masked_loop, skipping_loop, skipping_loop, returning_loop,
    bounded_loop, endless_loop, endless_loop, summing_loop, container, in_place,
)  # fmt: skip


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> str:
    """The text of a module with a class `forward`."""
    writer = Writer(draw)
    writer.body(0)
    names = writer.locals or ["x"]
    results = (names[-1], f"{names[-1]} * 1.0", ", ".join(names), f"{names[-1]} + self.state * 0.5")
    writer.line(f"return {writer.one_of(*results)}")
    return HEAD + "\n".join(writer.lines) + "\n\n\nforward = Net\n"
