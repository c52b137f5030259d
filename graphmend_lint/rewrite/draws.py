"""Random numbers that decide whether something is dropped: nothing is asked of them where the rate is zero."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.callee import is_quiet
from graphmend_lint.facts.reaching import definition, statement_of
from graphmend_lint.facts.values import DATA, SYMBOLIC
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.shapes import dotted, same
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

CAVEAT: Final = (
    "At a rate of zero no number is drawn, so what Python's generator gives later is another number; "
    "at any other rate the graph still breaks."
)

UNDRAWN: Final = "At a rate of zero no number is drawn, so what torch's generator gives later is another number."


class Draw(NamedTuple):
    """A random number, and the rate that it is compared with."""

    number: ast.Call
    rate: ast.expr
    asked: ast.Compare
    named: bool  #: the number has a name
    below: bool  #: asked whether it is below the rate: never, at a rate of zero


def drawn_if_needed(test: ast.expr, facts: Facts) -> Fix | None:
    """The test with the rate asked first: at a rate of zero, any number that is drawn gives the same answer."""
    draw = next((found for part in _parts(test) if (found := _draw(part, facts)) is not None), None)
    if draw is None or _is_above_zero(draw.rate, facts) or any(_asks(part, draw.rate) for part in _parts(test)):
        return None
    if _is_asked_before(draw, facts):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        if draw.below and not draw.named:
            code = f"{site.code(draw.rate)} > 0 and {site.code(draw.asked)}"
            plain = draw.asked is test or _joins(facts.parent(draw.asked))
            return (site.expression(draw.asked, code if plain else f"({code})"),)
        code = f"{site.code(draw.number)} if {site.code(draw.rate)} > 0 else 1.0"
        return (site.expression(draw.number, code if draw.named else f"({code})"),)

    return Fix("Draw only if the rate is above zero", Applicability.UNSAFE, edits, CAVEAT)


def rate_first(test: ast.expr, facts: Facts) -> Fix | None:
    """`number < rate` of a random tensor as `rate > 0 and number < rate`: it is never below zero."""
    found = next(((part, rate) for part in _parts(test) if (rate := _rate(part, facts)) is not None), None)
    if found is None or _is_above_zero(found[1], facts) or any(_asks(part, found[1]) for part in _parts(test)):
        return None
    asked, rate = found
    if _is_asked(asked, rate, facts):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        code = f"{site.code(rate)} > 0 and {site.code(asked)}"
        plain = asked is test or _joins(facts.parent(asked))
        return (site.expression(asked, code if plain else f"({code})"),)

    named = isinstance(asked, ast.Compare) and not any(isinstance(each, ast.Call) for each in walk(asked))
    level = Applicability.SAFE if named else Applicability.UNSAFE
    return Fix("Ask first whether the rate is above zero", level, edits, "" if named else UNDRAWN, lessens=True)


def _rate(part: ast.expr, facts: Facts) -> ast.expr | None:
    """The rate that a tensor of `torch.rand` is compared with."""
    match part:
        case ast.Compare(left=number, ops=[ast.Lt()], comparators=[rate]):
            pass
        case ast.Compare(left=rate, ops=[ast.Gt()], comparators=[number]):
            pass
        case _:
            return None
    made = definition(number, facts).value if isinstance(number, ast.Name) else number
    if not isinstance(made, ast.Call) or facts.resolve(made.func) != "torch.rand":
        return None
    return rate if dotted(rate) is not None and not facts.kinds(rate) & DATA and is_quiet(rate, facts) else None


def _joins(above: ast.AST | None) -> bool:
    return isinstance(above, ast.BoolOp) and isinstance(above.op, ast.And)


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    match test:
        case ast.BoolOp(values=values):
            for each in values:
                yield from _parts(each)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _parts(operand)
        case _:
            yield test


def _draw(part: ast.expr, facts: Facts) -> Draw | None:
    """`number < rate`, or turned round."""
    match part:
        case ast.Compare(left=left, ops=[ast.Lt() | ast.Gt() as op], comparators=[right]):
            turned = bool(facts.value(right).traits & SYMBOLIC)
            number, rate = (right, left) if turned else (left, right)
        case _:
            return None
    if dotted(rate) is None or facts.kinds(rate) & DATA or not facts.value(number).traits & SYMBOLIC:
        return None
    made = _made(number, rate, facts) if isinstance(number, ast.Name) else number
    if not isinstance(made, ast.Call) or not _is_share(made, facts):
        return None
    return Draw(made, rate, part, made is not number, isinstance(op, ast.Gt) is turned)


def _is_share(call: ast.Call, facts: Facts) -> bool:
    """True for a number between 0 and 1."""
    name, given = facts.resolve(call.func), [facts.value(each).const for each in call.args]
    plain = (name == "random.random" and not given) or (name == "random.uniform" and given == [0, 1])
    return plain and not call.keywords


def _made(name: ast.Name, rate: ast.expr, facts: Facts) -> ast.expr | None:
    """The call that draws the number of that name, if the number is only compared with the rate."""
    value = definition(name, facts).value
    statement = statement_of(value, facts) if value is not None else None
    if statement is None or (isinstance(rate, ast.Name) and _is_set(rate.id, statement, facts)):
        return None
    loads = loads_of(name.id, statement, facts)
    return value if loads and all(_compares(each, rate, facts) for each in loads) else None


def _is_set(name: str, statement: ast.stmt, facts: Facts) -> bool:
    """True if the function around the statement sets the name."""
    function = facts.function(statement)
    names = [each for each in walk(function) if isinstance(each, ast.Name)] if function is not None else []
    return any(each.id == name and not isinstance(each.ctx, ast.Load) for each in names)


def _compares(load: ast.expr, rate: ast.expr, facts: Facts) -> bool:
    match facts.parent(load):
        case ast.Compare(left=left, ops=[ast.Lt() | ast.Gt()], comparators=[right]):
            return same(right if left is load else left, rate)
    return False


def _asks(part: ast.expr, rate: ast.expr) -> bool:
    """True if the rate is asked about already."""
    return same(part, rate) or (
        isinstance(part, ast.Compare) and same(part.left, rate) and isinstance(part.comparators[0], ast.Constant)
    )


def _is_asked_before(draw: Draw, facts: Facts) -> bool:
    """True if the number is drawn where an `if` has asked about the rate."""
    return _is_asked(draw.number, draw.rate, facts)


def _is_asked(node: ast.AST, rate: ast.expr, facts: Facts) -> bool:
    """True if an `if` around the node asks about the rate."""
    while (above := facts.parent(node)) is not None:
        asked = _parts(above.test) if isinstance(above, ast.If) and node in above.body else ()
        if any(_asks(each, rate) for each in asked):
            return True
        node = above
    return False


def _is_above_zero(rate: ast.expr, facts: Facts) -> bool:
    """True if the file gives a number other than zero to something of that name."""
    name = (dotted(rate) or "").rpartition(".")[2]
    return any(isinstance(each, ast.Constant) and each.value not in (0, None) for each in _given(name, facts))


def _given(name: str, facts: Facts) -> Iterator[ast.expr]:
    """What the file says that the name holds: values, defaults, arguments by keyword."""
    for node in walk(facts.source.tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                if any((dotted(each) or "").rpartition(".")[2] == name for each in targets):
                    yield value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                if (dotted(target) or "").rpartition(".")[2] == name:
                    yield value
            case ast.keyword(arg=arg, value=value) if arg == name:
                yield value
            case ast.arguments(args=args, kwonlyargs=only, defaults=defaults, kw_defaults=others):
                pairs = [*zip(reversed(args), reversed(defaults), strict=False), *zip(only, others, strict=True)]
                yield from (value for each, value in pairs if each.arg == name and value is not None)
