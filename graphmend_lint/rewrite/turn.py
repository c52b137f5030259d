"""What one turn of a loop does: tensors that it changes, names that it alone uses, and where it leaves."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.meta import is_number
from graphmend_lint.facts.reaching import definition, definition_at, is_bound
from graphmend_lint.facts.values import CONSTANT, DATA, SYMINT, TENSOR, UNKNOWN
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.predicate import condition
from graphmend_lint.rewrite.safe_points import Risky, risky_parts
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.rewrite.staying import Loop, keeps_gradient, may_stay
from graphmend_lint.rewrite.term import Condition
from graphmend_lint.rewrite.traceable import is_traceable, test_is_traceable
from graphmend_lint.shapes import (
    Assignment,
    assignment,
    names_bound,
    names_read,
    same,
    walk_function,
)
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

LATE: Final = Refusal("break-in-loop", "the loop is left from inside of another statement, or its length is not known")
UNFIT: Final = Refusal("break-in-loop", "the loop does more than give values to tensors of fixed shape")
COUNTED: Final = Refusal("break-in-loop", "what the loop counts is used after it, and would be a tensor")
SIGNS: Final[dict[type[ast.operator], str]] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}
LEAVING: Final = (ast.Break, ast.Continue, ast.Return)


class Given(NamedTuple):
    """A statement that gives a tensor, which is kept, a new value."""

    node: ast.stmt
    target: ast.expr
    value: ast.expr
    sign: str = ""  #: of `y += value`
    risky: tuple[Risky, ...] = ()


class Kept(NamedTuple):
    """A statement that runs in every turn, and whose gradient must not be NaN where the turn does not count."""

    node: ast.stmt
    risky: tuple[Risky, ...]


class Added(NamedTuple):
    """A statement that appends a tensor to a list, whose elements are added up after the loop."""

    node: ast.stmt
    call: ast.Call


class Leaving(NamedTuple):
    """An `if` that ends the turn, the loop or the function."""

    node: ast.If
    word: type[ast.stmt]
    test: Condition
    before: tuple[Given, ...]
    value: ast.expr | None  #: what is returned

    @property
    def ends_loop(self) -> bool:
        return self.word is not ast.Continue


Step = Given | Kept | Added | Leaving


def leaves(node: ast.If, facts: Facts) -> bool:
    """True for an `if` that ends the turn or the loop around it, or the function from inside of a loop."""
    last = node.body[-1]
    return isinstance(last, ast.Break | ast.Continue) or (
        isinstance(last, ast.Return) and isinstance(facts.parent(node), ast.For | ast.While)
    )


@dataclass
class Turn:
    """The steps of one turn, in order. Its other statements may run although the loop is over."""

    loop: Loop
    facts: Facts
    steps: list[Step] = field(default_factory=list)
    kept: set[str] = field(default_factory=set)  #: names that keep their value once the loop is over
    again: set[str] = field(default_factory=set)  #: names that get the same value again and again once it is over
    header: Condition | None = None  #: a tensor that is asked before each turn
    augmented: bool = False  #: a tensor is replaced that was changed in place

    @classmethod
    def of(cls, loop: Loop, facts: Facts, header: Condition | None = None) -> Turn | Refusal:
        """The turn, if all that it does is understood."""
        turn = cls(loop, facts, header=header)
        for statement in loop.body:
            refusal = turn._add(statement)
            if refusal:
                return refusal
        return UNFIT if turn._is_too_early() else turn

    def _is_too_early(self) -> bool:
        """True if something that must be made safe is computed before it is known whether the turn counts."""
        last = max((i for i, each in enumerate(self.steps) if isinstance(each, Leaving)), default=0)
        return any(isinstance(each, Kept) for each in self.steps[:last])

    def exits(self) -> list[Leaving]:
        return [each for each in self.steps if isinstance(each, Leaving)]

    def _may_be_over(self) -> bool:
        """True if the loop, or the turn, may be over by now."""
        return self.header is not None or bool(self.exits())

    def _add(self, statement: ast.stmt) -> Refusal | None:
        """Add what a statement does in a turn; a refusal if it is not understood."""
        parts = assignment(statement)
        if parts is not None:
            return self._assign(statement, parts)
        match statement:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return None
            case ast.Assign(targets=[ast.Tuple() as several], value=value):
                names = names_bound([several])
                inner = all(is_inner(name, each, self.facts) for name in names for each in self._around(statement))
                return self._keep(statement, value) if inner and is_unpacked(several) else UNFIT
            case ast.If(body=[*_, last], orelse=[]) if isinstance(last, LEAVING) and self.facts.is_data(statement.test):
                return self._leave(statement, last)
            case ast.Expr(value=ast.Call() as call) if (
                _is_summed(call, self.loop, self.facts) and not self._may_be_over()
            ):
                self.steps.append(Added(statement, call))
                return None if self._risky(call.args[0]) == () else UNFIT
            case ast.If(test=test, body=body, orelse=orelse) if is_traceable(test, self.facts):
                return UNFIT if self.facts.kinds(test) & (DATA | UNKNOWN) else self._inside([*body, *orelse])
            case ast.For(iter=turns, body=body, orelse=[]) if is_traceable(turns, self.facts):
                return UNFIT if self.facts.kinds(turns) & (DATA | UNKNOWN) else self._inside(body)
        return UNFIT

    def _inside(self, block: list[ast.stmt]) -> Refusal | None:
        """Add statements under an `if` or loop that Python decides: they may only give values to names."""
        for statement in block:
            refusal = UNFIT if isinstance(statement, ast.Expr) or _holds_exit(statement) else self._add(statement)
            if refusal:
                return refusal
        return None

    def _leave(self, node: ast.If, last: ast.stmt) -> Refusal | None:
        """Add an `if` that ends the turn, the loop or the function."""
        test = condition(node.test, self.facts, named=True)
        if isinstance(test, Refusal):
            return test
        if test.static or not test_is_traceable(node.test, self.facts):
            return LATE
        before: list[Given] = []
        for statement in node.body[:-1]:
            given = self._given(statement, assignment(statement))
            if given is None:
                return UNFIT
            before.append(given)
        value = last.value if isinstance(last, ast.Return) else None
        if isinstance(last, ast.Return) and value is None:
            return UNFIT
        self.steps.append(Leaving(node, type(last), test, tuple(before), value))
        return None

    def _assign(self, node: ast.stmt, parts: Assignment) -> Refusal | None:
        """Add a statement that gives a name or an element its value."""
        name = parts.target.id if isinstance(parts.target, ast.Name) else None
        if name is not None and is_number(parts.value, self.facts):
            return self._count(name)
        if name is not None and parts.augmented is None and (risky := self._risky(parts.value)) is not None:
            if any(is_inner(name, each, self.facts) for each in self._around(node)):
                return self._keep(node, parts.value)
            if not risky and self._is_repeated(name, node, parts):
                self.again.add(name)
                return None
        given = self._given(node, parts)
        if given is None:
            return UNFIT
        self.steps.append(given)
        return None

    def _around(self, node: ast.stmt) -> list[Loop]:
        """The loops around a statement, up to this one."""
        found: list[Loop] = [self.loop]
        above = self.facts.parent(node)
        while above is not None and above is not self.loop:
            found += [above] if isinstance(above, ast.For) else []
            above = self.facts.parent(above)
        return found

    def _count(self, name: str) -> Refusal | None:
        """Why Python may not count with a number: turns that no longer matter would count as well."""
        if any(self.facts.kinds(each) & (DATA | UNKNOWN) for each in loads(name, self.loop)):
            return UNFIT
        if any(not each.ends_loop for each in self.exits()) or not is_private(name, self.loop, self.facts):
            return COUNTED
        return None

    def _given(self, node: ast.stmt, parts: Assignment | None) -> Given | None:
        """The statement as one that changes a tensor; None unless it holds a tensor of one kind before and after."""
        if parts is None or not isinstance(parts.target, ast.Name | ast.Subscript):
            return None
        risky = self._risky(parts.value)
        if risky is None:
            return None
        if isinstance(parts.target, ast.Subscript):
            return self._stored(node, parts, risky) if parts.augmented is None else None
        name = parts.target.id
        if parts.augmented is not None:
            given = self._replaced(node, parts.augmented, name, risky)
        else:
            value = parts.value
            fits = self._may_stay(name, parts.value, node) and not self._is_shared(name, parts.value)
            fits = fits and (
                name in self.kept or self._is_first(node) or not keeps_gradient(name, self.loop, self.facts)
            )
            given = Given(node, parts.target, value, risky=risky) if fits else None
        self.kept |= {name} if given else set()
        return given

    def _stored(self, node: ast.stmt, parts: Assignment, risky: tuple[Risky, ...]) -> Given | None:
        target, value, facts = parts.target, parts.value, self.facts
        assert isinstance(target, ast.Subscript)
        if (
            not isinstance(target.value, ast.Name)
            or facts.kinds(target.value) != TENSOR
            or not _is_fixed(target, facts)
        ):
            return None
        if facts.kinds(value) != TENSOR:
            return None
        self.kept.add(target.value.id)
        return Given(node, target, value, risky=risky)

    def _replaced(self, node: ast.stmt, augmented: ast.AugAssign, name: str, risky: tuple[Risky, ...]) -> Given | None:
        """`y += v` as `y = y + v`, if nobody else holds the tensor."""
        sign, value = SIGNS.get(type(augmented.op)), augmented.value
        if sign is None:
            return None
        before = definition_at(name, self.loop, self.facts).value
        if before is None or not self._is_alone(name, before, node):
            return None
        self.augmented = True
        return Given(node, augmented.target, value, sign, risky)

    def _is_alone(self, name: str, before: ast.expr, node: ast.stmt) -> bool:
        """True if the name begins as a new tensor or a number, and is only computed with."""
        facts, function = self.facts, self.facts.function(self.loop)
        kinds = facts.kinds(before)
        if function is None or not ((kinds == TENSOR and is_fresh(before, facts)) or not kinds & ~(CONSTANT | SYMINT)):
            return False
        if not kinds & TENSOR and not self._is_first(node):
            return False
        uses = [each for each in walk_function(function) if isinstance(each, ast.Name) and each.id == name]
        return all(is_computed(each, facts) for each in uses if isinstance(each.ctx, ast.Load))

    def _is_first(self, node: ast.stmt) -> bool:
        """True if the first turn always gets to this statement."""
        return not self._may_be_over() and node in self.loop.body

    def _keep(self, node: ast.stmt, value: ast.expr) -> Refusal | None:
        """Let a statement run in every turn."""
        risky = self._risky(value)
        if risky is None:
            return UNFIT
        self.steps += [Kept(node, risky)] if risky else []
        return None

    def _risky(self, value: ast.expr) -> tuple[Risky, ...] | None:
        """What must be made safe if the value is computed although the loop is over; None if it may not be."""
        if not is_traceable(value, self.facts):
            return None
        return () if no_grad(value, self.facts) else risky_parts(value, self.facts)

    def _is_repeated(self, name: str, node: ast.stmt, parts: Assignment) -> bool:
        """True for a name that is not set before the loop, and that gets the same value in every later turn."""
        if not self._is_first(node) or is_bound(name, self.loop, self.facts) or self.facts.kinds(parts.value) != TENSOR:
            return False
        counted = names_bound([self.loop.target]) if isinstance(self.loop, ast.For) else set()
        read, after = names_read(parts.value), self.loop.body[self.loop.body.index(node) + 1 :]
        rest = after[: max((i for i, each in enumerate(after) if _holds_exit(each)), default=0)]
        others = [each for each in self.loop.body if each is not node and name in names_bound([each])]
        inner = {each for each in read & names_bound(self.loop.body) if is_inner(each, self.loop, self.facts)}
        return not others and not read & (counted | names_bound(rest) | inner | {name})

    def _gives_its_kind(self, name: str, number: ast.expr, value: ast.expr) -> bool:
        """True if selecting between the value and the number gives a tensor of the value's dtype."""
        kind = type(self.facts.value(number).const)
        return kind is int or (kind is float and name in names_read(value))

    def _is_shared(self, name: str, value: ast.expr) -> bool:
        """True if the name must not get a copy: what it holds, or is given, is changed in place somewhere."""
        before = definition_at(name, self.loop, self.facts).value
        names = set[str]() if is_fresh(value, self.facts) else {name, *names_read(value)}
        names |= set() if before is not None and is_fresh(before, self.facts) else {name}
        return any(changed_later(each, self.loop, self.facts) for each in names)

    def _may_stay(self, name: str, value: ast.expr, node: ast.stmt) -> bool:
        """True if the name holds a tensor before the loop, and its new value looks like one of the same kind."""
        facts, loop = self.facts, self.loop
        if facts.kinds(value) != TENSOR or not is_bound(name, loop, facts):
            return False
        before = definition_at(name, loop, facts)
        if before.value is not None and is_number(before.value, facts):
            return self._is_first(node) and self._gives_its_kind(name, before.value, value)
        known = [facts.kinds(each) for each in loads(name, loop)]
        known += [facts.kinds(before.value)] if before.value is not None else []
        return bool(known) and all(kinds == TENSOR for kinds in known) and may_stay(name, value, loop, facts, self.kept)


def loads(name: str, place: ast.AST) -> list[ast.Name]:
    """Where `name` is read."""
    found = (each for each in walk(place) if isinstance(each, ast.Name) and each.id == name)
    return [each for each in found if isinstance(each.ctx, ast.Load)]


def is_private(name: str, loop: Loop, facts: Facts) -> bool:
    """True if no code outside of the loop reads what the loop sets."""
    function, inside = facts.function(loop), {id(each) for each in walk(loop)}
    outside = [each for each in loads(name, function) if id(each) not in inside] if function is not None else []
    own = all(facts.function(each) is function and definition(each, facts).value is not None for each in outside)
    return function is not None and own


def is_inner(name: str, loop: Loop, facts: Facts) -> bool:
    """True for a name that every turn sets before it reads it, and that nothing outside the loop reads."""
    if not is_private(name, loop, facts) or name in names_read(loop.test if isinstance(loop, ast.While) else loop.iter):
        return False
    first = next((each for each in loop.body if name in names_bound([each]) | names_read(each)), None)
    if isinstance(first, ast.Assign) and is_unpacked(first.targets[0]):
        return len(first.targets) == 1 and name not in names_read(first.value)
    parts = assignment(first) if first is not None else None
    return parts is not None and parts.augmented is None and name not in names_read(parts.value)


def is_unpacked(target: ast.expr) -> bool:
    """True for `a, b` of names alone."""
    return isinstance(target, ast.Tuple) and all(isinstance(each, ast.Name) for each in target.elts)


def _holds_exit(statement: ast.stmt) -> bool:
    return any(isinstance(each, LEAVING) for each in walk(statement))


def is_computed(node: ast.Name, facts: Facts) -> bool:
    """True if nothing keeps the tensor that is read here."""
    above = facts.parent(node)
    if isinstance(above, ast.Attribute):
        above = facts.parent(above)
    if isinstance(above, ast.Call):
        return is_fresh(above, facts)
    return isinstance(above, ast.BinOp | ast.Compare | ast.UnaryOp | ast.Return)


def _is_fixed(target: ast.Subscript, facts: Facts) -> bool:
    """True if the index is known while tracing, and evaluating it twice is the same as once."""
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    indices = [each for each in parts if not isinstance(each, ast.Slice)]
    return is_traceable(target.slice, facts) and not any(facts.kinds(each) & (DATA | UNKNOWN) for each in indices)


def _is_summed(call: ast.Call, loop: Loop, facts: Facts) -> bool:
    """True if the call appends to a list that begins empty and is added up after the loop: zeros do no harm there."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[value], keywords=[]):
            made, function = definition_at(name, loop, facts).value, facts.function(loop)
        case _:
            return False
    if function is None or not isinstance(made, ast.List) or made.elts or facts.kinds(value) != TENSOR:
        return False
    others = [each for each in loads(name, function) if facts.parent(each) is not call.func]
    return len(others) == 1 and others[0].lineno > (loop.end_lineno or 0) and _adds_up(others[0], facts)


def _adds_up(node: ast.Name, facts: Facts) -> bool:
    """`sum(node)`, `torch.stack(node).sum(0)`."""
    above = facts.parent(node)
    if not isinstance(above, ast.Call) or above.args != [node] or above.keywords:
        return False
    if facts.resolve(above.func) == "builtins.sum":
        return True
    method = facts.parent(above)
    total = facts.parent(method) if isinstance(method, ast.Attribute) and method.attr == "sum" else None
    if facts.resolve(above.func) != "torch.stack" or not isinstance(total, ast.Call):
        return False
    given = [*total.args, *(word.value for word in total.keywords if word.arg == "dim")]
    return len(given) == len(total.args) + len(total.keywords) == 1 and same(given[0], ast.Constant(value=0))
