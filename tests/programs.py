"""Small random programs with control flow on tensors, and what they do before and after they are fixed.

All tensors of a program have one shape and one floating dtype: what fixes ask for that are not safe.
"""

from __future__ import annotations

import runpy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st

from graphmend_lint.config import Settings
from graphmend_lint.engine import fix
from graphmend_lint.model import Applicability
from graphmend_lint.rule import load_rules
from graphmend_lint.source import Source

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
)  # fmt: skip
MASKS = ("{a} > 1", "{a} < -0.5", "torch.isnan({a})", "{a} == {b}", "~torch.isfinite({a})")
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
    if not writer.locals:
        plain(writer, depth)
    name = writer.one_of(*writer.locals)
    writer.line("for _ in range(3):")

    def body() -> None:
        writer.assign(name)
        writer.line(f"if {writer.test()}:")
        writer.block(lambda: writer.line("break"))

    writer.block(body)


STATEMENTS = (
    plain, both_set, both_set, one_sets, one_sets, nested, ternary, early_return, both_return, idle_guard, projected,
    raising, asserting, speaking, augmented, stored, masked_loop,
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


def fixed(text: str) -> str:
    """The text with every fix, the unsafe ones as well."""
    source = Source(Path("program.py"), text)
    return fix([source], list(load_rules().values()), Settings(), Applicability.UNSAFE).sources[0].text


class Call(NamedTuple):
    """What one call did."""

    result: str  #: values, dtypes and shapes; or "raises" and the class of the exception
    gradients: str  #: or "raises": a program may change what a gradient needs
    state: str
    printed: str
    logged: tuple[str, ...]


def inputs(dtype: Any) -> Iterator[tuple[bool, tuple[Any, ...]]]:
    """Whether to take gradients, and arguments: A, B, A and others, for calls of one object."""
    import torch

    small = torch.randn(2, 2, 3, generator=torch.Generator().manual_seed(3))
    large = torch.tensor([[[4.0, -2.0, 1.5], [0.5, 6.0, 2.5]], [[-3.0, -1.0, -0.5], [-2.0, -4.0, -1.5]]])
    odd = torch.tensor([[[float("nan"), 1.0, 2.0], [0.0, -0.0, float("inf")]], [[1.0, 1.0, 1.0], [1.0, 0.0, -1.0]]])
    for pair, rest in (
        (small, (False,)), (small.flip(0), (True, small[0])), (small, (False,)), (large / 2, (True,)),
        (large.flip(0) / 2, (False,)), (small.abs() + 0.1, (True, small[1], 1)), (odd, (True,)), (large, (False,)),
    ):  # fmt: skip
        yield pair is not odd, (*(x.to(dtype).clone() for x in pair), *rest)


def outcomes(path: Path, text: str, *, compiled: bool) -> list[Call]:
    """What the program does with all inputs. A call that raises ends those on its object."""
    import torch
    import torch._dynamo

    path.write_text(text, "utf-8")
    made = runpy.run_path(str(path))["forward"]
    found: list[Call] = []
    for dtype in (torch.float32, torch.float16):
        torch._dynamo.reset()
        torch.manual_seed(0)
        called = made().to(dtype)
        run = torch.compile(called, backend="eager") if compiled else called
        for grad, given in inputs(dtype):
            torch.manual_seed(len(found))
            found.append(call(run, called, given, grad))
            if found[-1].result.startswith("raises"):
                break
    return found


def call(run: Any, called: Any, given: tuple[Any, ...], grad: bool) -> Call:
    """One call, its gradients and its state."""
    import live
    from torch.utils._pytree import tree_leaves, tree_map

    leaves = [x.requires_grad_(grad) for x in given[:2]]
    with live.quiet() as text, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = run(*given)
        except Exception as error:
            return Call(f"raises {type(error).__name__}", "", "", "", ())
    state = repr({name: x.tolist() for name, x in called.state_dict().items()})
    grads = gradients(tree_leaves(result), leaves) if grad else ""
    return Call(repr(tree_map(live._plain, result)), grads, state, text[0], tuple(text[1:]))


def gradients(results: list[Any], leaves: list[Any]) -> str:
    """The gradients of the inputs, zero where there are none; or "raises"."""
    import torch

    outputs = [x.float().sum() for x in results if x.requires_grad]
    try:
        grads = torch.autograd.grad(sum(outputs), leaves, allow_unused=True, retain_graph=True) if outputs else ()
    except RuntimeError:
        return "raises"
    return repr([None if g is None or not g.any() else g.tolist() for g in grads or [None] * len(leaves)])
