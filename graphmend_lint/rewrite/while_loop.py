"""Loops whose number of turns depends on data: `torch.while_loop` when compiled, Python's own loop otherwise."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.effects import effects
from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.reaching import definition_at, is_bound
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.naming import unused
from graphmend_lint.rewrite.outline import stores
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.rewrite.staying import Loop, keeps_gradient, may_stay
from graphmend_lint.rewrite.template import indented
from graphmend_lint.rewrite.term import Code
from graphmend_lint.rewrite.traceable import is_new, runs, test_is_traceable
from graphmend_lint.rewrite.turn import is_computed, is_private, loads
from graphmend_lint.shapes import assignment, names_bound, names_read, walk_function
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Loop inside the graph with `torch.while_loop`"
ALIKE: Final = (
    "Compiling raises unless each turn keeps shapes, dtypes and layouts; results are new tensors, and their gradients "
    "may be rounded otherwise, or zero where they were None."
)
NO_DIMENSIONS: Final = "Compiling raises, too, if the count is a tensor with dimensions."
UNBOUND: Final = Refusal("loop-bound-unknown", "how often the loop runs is known only from data")
UNFIT: Final = Refusal("loop-bound-unknown", "the loop does more than give values to tensors of fixed shape")
STORES: Final = Refusal("store-order", "torch may lose stores to attributes around a loop in the graph")


@dataclass(frozen=True)
class Endless:
    """A loop as two functions of what it carries from turn to turn: one says whether to go on, one runs a turn."""

    loop: Loop
    facts: Facts
    torch: str
    going: Code  #: whether to go on, as a tensor
    doubt: str  #: what may be other than it was
    body: list[ast.stmt]  #: one turn
    first: list[ast.stmt] = field(default_factory=list)  #: what runs once, before it is first asked whether to go on
    counter: str = ""  #: what a `for` counts
    stop: str = ""  #: up to what it counts: a tensor
    carried: tuple[str, ...] = ()

    def reads(self) -> set[str]:
        """Names that decide whether to go on."""
        if isinstance(self.loop, ast.For):
            return names_read(self.loop.iter)
        exits = [each for each in self.loop.body if isinstance(each, ast.If) and _is_exit(each)]
        return names_read(self.loop.test).union(*(names_read(each.test) for each in exits))


def looped(loop: Loop, facts: Facts) -> Fix | Refusal:
    """The fix for a loop whose length is known only from data."""
    found = _endless(loop, facts)
    if isinstance(found, Refusal):
        return found
    caveat = f"{ALIKE} {found.doubt}".strip()
    return Fix(TITLE, Applicability.UNSAFE, lambda site: _edits(site, found), caveat, ("torch",))


def _endless(loop: Loop, facts: Facts) -> Endless | Refusal:
    """The loop as two functions; a refusal if it is not understood."""
    torch = torch_name(facts, loop)
    if torch is None or loop.orelse:
        return UNBOUND
    if stores(loop, facts):
        return STORES
    found = _counted(loop, torch, facts) if isinstance(loop, ast.For) else _asked(loop, torch, facts)
    if isinstance(found, Refusal):
        return found
    if not all(runs(each, facts) and not isinstance(each, ast.Return) for each in [*found.first, *found.body]):
        return UNFIT
    if any(isinstance(each, LEAVING) for statement in found.body for each in walk(statement)):
        return UNFIT
    return _carrying(found)


LEAVING: Final = (ast.Break, ast.Continue, ast.Return, ast.Raise)


def _asked(loop: ast.While, torch: str, facts: Facts) -> Endless | Refusal:
    """`while test: ...`, or `while True:` with one `if test: break` in it."""
    always = isinstance(loop.test, ast.Constant) and bool(loop.test.value)
    exits = [each for each in loop.body if _is_exit(each)]
    asked = exits[0].test if always and len(exits) == 1 and isinstance(exits[0], ast.If) else loop.test
    if always and asked is loop.test:
        return UNBOUND
    test = condition(asked, facts)
    if isinstance(test, Refusal):
        return test
    if test.static or not test_is_traceable(asked, facts):
        return UNBOUND
    if not always:
        return Endless(loop, facts, torch, test.tensor.code, test.tensor.doubt, loop.body)
    at = loop.body.index(exits[0])
    first, rest = loop.body[:at], loop.body[at + 1 :]
    return Endless(loop, facts, torch, test.tensor.inverted().code, test.tensor.doubt, [*rest, *first], first)


def _is_exit(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[0], ast.Break)


def _counted(loop: ast.For, torch: str, facts: Facts) -> Endless | Refusal:
    """`for i in range(tensor)`."""
    match loop:
        case ast.For(target=ast.Name(id=name), iter=ast.Call(args=[bound], keywords=[])):
            stop, ending = _counted_to(bound, facts)
        case _:
            return UNBOUND
    if not isinstance(stop, ast.Name) or facts.kinds(stop) != TENSOR:
        return UNBOUND
    if stop.id in names_bound(loop.body) | {name} or name in names_bound(loop.body):
        return UNBOUND
    if not is_private(name, loop, facts) or not all(_is_added(each, facts) for each in loads(name, loop)):
        return Refusal("loop-bound-unknown", f"`{name}` is used as a Python number")
    end = stop.id + ending
    doubt = "" if meta(stop, facts).is_0d else NO_DIMENSIONS
    return Endless(loop, facts, torch, lambda site: f"{name} < {end}", doubt, loop.body, counter=name, stop=end)


def _counted_to(bound: ast.expr, facts: Facts) -> tuple[ast.expr, str]:
    """The tensor that holds the number of turns, and what to append to it: `n`, `n.item()`, `int(n)`."""
    match bound:
        case ast.Call(func=ast.Attribute(value=tensor), args=[], keywords=[]):
            return (tensor, "") if facts.resolve(bound.func) == "torch.Tensor.item" else (bound, "")
        case ast.Call(args=[inner], keywords=[]) if facts.resolve(bound.func) == "builtins.int":
            tensor, _ = _counted_to(inner, facts)
            return tensor, ".long()"  # which cuts floats off, too
    return bound, ""


def _is_added(node: ast.Name, facts: Facts) -> bool:
    """True if a 0-dim tensor serves for the number: it is added to a tensor, or multiplied with one."""
    match facts.parent(node):
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return facts.kinds(right if left is node else left) == TENSOR
    return False


def _carrying(found: Endless) -> Endless | Refusal:
    """The loop with the names whose values are carried from turn to turn; a refusal if one cannot be."""
    bound = names_bound(found.body)
    carried = [name for name in dict.fromkeys(_in_order(found.body)) if not _is_local(name, found)]
    if any("." in name for name in bound) or not carried:
        return UNFIT
    for name in carried:
        if not _may_carry(name, found):
            return UNFIT
    if not no_grad(found.loop, found.facts) and any(_is_hazard(each, found.facts) for each in _values(found.body)):
        return Refusal("nan-gradient", "where the loop runs no turn, the gradient of one may be NaN")
    return replace(found, carried=tuple(carried))


def _values(body: list[ast.stmt]) -> list[ast.expr]:
    nodes = [each for statement in body for each in walk(statement)]
    found = [assignment(each) for each in nodes if isinstance(each, ast.stmt)]
    return [parts.value for parts in found if parts is not None]


def _is_hazard(value: ast.expr, facts: Facts) -> bool:
    doubts = effects(value, facts)
    return doubts.nan_gradient or doubts.overflows


def _in_order(body: list[ast.stmt]) -> list[str]:
    names = [each for statement in body for each in walk(statement) if isinstance(each, ast.Name)]
    stored = sorted((each for each in names if not isinstance(each.ctx, ast.Load)), key=lambda each: each.lineno)
    return [each.id for each in stored]


def _is_local(name: str, found: Endless) -> bool:
    """True for a name that every turn sets before it reads it, and that nothing else reads."""
    if not is_private(name, found.loop, found.facts) or name in found.reads():
        return False
    first = next(each for each in found.body if name in names_bound([each]) | names_read(each))
    parts = assignment(first)
    return parts is not None and parts.augmented is None and name not in names_read(parts.value)


def _may_carry(name: str, found: Endless) -> bool:
    """True if the name holds a tensor before the loop, and each of its values looks like one of the same kind."""
    facts, loop = found.facts, found.loop
    made = [assignment(each) for each in found.body if name in names_bound([each])]
    values = [parts.value for parts in made if parts is not None]
    if len(values) < len(made) or any(facts.kinds(each) != TENSOR for each in values):
        return False
    if changed_later(name, loop, facts) or any(facts.kinds(each) != TENSOR for each in loads(name, loop)):
        return False
    if name in names_bound(found.first):
        return any(name in names_bound([each]) and assignment(each) is not None for each in found.first)
    before = definition_at(name, loop, facts)
    if keeps_gradient(name, loop, facts):
        return False
    if not is_bound(name, loop, facts) or (before.value is not None and facts.kinds(before.value) != TENSOR):
        return False
    return all(_fits(name, each, loop, facts) for each in values)


def _fits(name: str, value: ast.expr, loop: Loop, facts: Facts) -> bool:
    """True if the value may have the shape of what the name holds: known, or added to something that has it."""
    if may_stay(name, value, loop, facts):
        return True
    match value:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
            return any(_fits(name, each, loop, facts) for each in (left, right))
    return False


def _edits(site: Site, found: Endless) -> tuple[Edit, ...]:
    writer = Writer(site, found)
    return (site.replace(found.loop, "\n".join(writer.lines()), FIRST=found.first),)


@dataclass(frozen=True)
class Writer:
    """Writes a loop as two functions, and what calls them."""

    site: Site
    found: Endless

    def name(self, *choices: str) -> str:
        """The first of the names that the function does not use."""
        return unused([*choices, f"{choices[0]}_"], self.found.loop, self.found.facts)

    @property
    def step(self) -> str:
        """What the function that runs one turn is called."""
        return self.name("step", "turn")

    @property
    def going(self) -> str:
        """What the function that says whether to go on is called."""
        return self.name("unfinished", "going_on")

    @property
    def names(self) -> str:
        """What is carried from turn to turn."""
        return ", ".join(self.found.carried)

    def lines(self) -> list[str]:
        """The code."""
        found, torch = self.found, self.found.torch
        taken = f"{found.counter}, {self.names}" if found.counter else self.names
        started, last, several = self.name("started"), self.name("last", "final"), _tuple(found.carried)
        chosen = [f"{name} = {torch}.where({started}, {last}[{at}], {name})" for at, name in enumerate(found.carried)]
        inside = [*(self._range(started, last) if found.counter else self._while(started, last)), *chosen]
        return [
            *(["FIRST", ""] if found.first else []),
            *([] if found.counter else self._test(self.names)),
            f"def {self.step}({taken}):", *_turn(self.site, found), "",
            f"if {torch}.compiler.is_compiling():", *(f"    {each}" if each else "" for each in inside), "else:",
            f"    {self._again()}:", f"        {several} = {self.step}({taken})",
        ]  # fmt: skip

    def _test(self, taken: str) -> list[str]:
        return [f"def {self.going}({taken}):", f"    return {self.found.going(self.site)}", ""]

    def _while(self, started: str, last: str) -> list[str]:
        given = _tuple([_start(name, self.found) for name in self.found.carried])
        carried = given if given[0] == "(" else f"({given})"
        return [
            f"{started} = {self.going}({self.names})",
            f"{last} = {self.found.torch}.while_loop({self.going}, {self.step}, {carried})",
        ]

    def _range(self, started: str, last: str) -> list[str]:
        found, stop, taken = self.found, self.found.stop, f"{self.found.counter}, {self.names}"
        given = ", ".join([f"{found.torch}.zeros_like({stop})", *(_start(name, found) for name in found.carried)])
        return [
            *self._test(taken),
            f"def counted({taken}):", f"    return {found.counter} + 1, *{self.step}({taken})", "",
            f"{started} = {stop} > 0",
            f"_, *{last} = {found.torch}.while_loop({self.going}, counted, ({given}))",
        ]  # fmt: skip

    def _again(self) -> str:
        """The first line of the loop in eager mode."""
        loop = self.found.loop
        if isinstance(loop, ast.For):
            return f"for {self.found.counter} in {self.site.code(loop.iter)}"
        return f"while {self.going}({self.names})"


def _tuple(names: Sequence[str]) -> str:
    return f"({names[0]},)" if len(names) == 1 else ", ".join(names)


def _turn(site: Site, found: Endless) -> list[str]:
    """The lines of the function that runs one turn."""
    margin = "    "
    last: dict[str, ast.expr | None] = {}
    for statement in found.body:
        parts = assignment(statement)
        last |= dict.fromkeys(names_bound([statement]), parts.value if parts is not None else None)
    results = [_result(name, last[name], found) for name in found.carried]
    only = found.body[0] if len(found.body) == 1 else None
    parts = assignment(only) if only is not None else None
    if parts is not None and len(results) == 1 and results[0] == found.carried[0]:
        return [f"{margin}return ({indented(site.argument(parts.value))},)"]
    lines = [margin + indented(site.code(each)) for each in found.body]
    return [*lines, f"{margin}return {_tuple(results)}"]


def _result(name: str, value: ast.expr | None, found: Endless) -> str:
    new = value is not None and (is_fresh(value, found.facts) or is_new(value, found.facts))
    return name if new else f"{name}.clone()"


def _start(name: str, found: Endless) -> str:
    """What the loop starts with: a copy, if another name might hold the same tensor."""
    facts, function = found.facts, found.facts.function(found.loop)
    read = set().union(found.reads(), *(names_read(each) for each in found.body))
    others = {each.partition(".")[0] for each in read} - set(found.carried) - {found.counter}
    held = [each for each in walk(found.loop) if isinstance(each, ast.expr) and facts.kinds(each) == TENSOR]
    captured = any(isinstance(each, ast.Name | ast.Attribute) and _root(each) in others for each in held)
    if len(found.carried) == 1 and not captured:
        return name
    made = [assignment(each) for each in found.first if name in names_bound([each])]
    given = made[-1].value if made and made[-1] else definition_at(name, found.loop, facts).value
    uses = [each for each in walk_function(function) if isinstance(each, ast.Name)] if function else []
    alone = all(is_computed(each, facts) for each in uses if each.id == name and isinstance(each.ctx, ast.Load))
    return name if given is not None and is_fresh(given, facts) and alone else f"{name}.clone()"


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
