"""What Python knows is asked first: `t.any() or flag` as `flag or t.any()`.

No tensor is read where the flag decides. The break stays for the other calls.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.callee import is_quiet
from graphmend_lint.facts.values import CONSTANT, DATA, MODULE, NONE, OBJECT, SYMINT, UNKNOWN
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.asked import only_asked
from graphmend_lint.rewrite.defer import has_effect
from graphmend_lint.rewrite.predicate import early
from graphmend_lint.rewrite.term import part
from graphmend_lint.shapes import in_test
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

TITLE: Final = "Ask first what Python knows"
UNASKED: Final = "Where that decides, the tensor is not looked at, and raises nothing."
#: why something may not be computed early, but may be left out
MAY_RAISE: Final = frozenset({"branch-may-raise", "index-may-fail", "reads-value", "may-be-none"})
PLAIN: Final = CONSTANT | SYMINT | NONE


def known_first(node: ast.expr, facts: Facts) -> Fix | None:
    """The operands in another order; None if nothing that Python knows stands behind the tensor in `node`."""
    found = _late(node, facts)
    if found is None or found[0].lineno != found[0].end_lineno:
        return None
    whole, values = found
    tensors = [each for each in values if _is_data(each, facts)]
    doubts = [early(each, facts) for each in tensors]
    reasons = {each.refusal.reason for each in doubts if each.refusal is not None}
    if any(has_effect(each, facts) for each in tensors) or not reasons <= MAY_RAISE:
        return None
    total = not reasons and all(each.total for each in doubts)

    def edits(site: Site) -> tuple[Edit, ...]:
        return (site.expression(whole, _written(site, whole, values), inside=True),)

    level = Applicability.SAFE if total else Applicability.UNSAFE
    return Fix(TITLE, level, edits, "" if total else UNASKED, lessens=True)


def _written(site: Site, whole: ast.BoolOp, values: list[ast.expr]) -> str:
    """The operands in their new order."""
    return (" and " if isinstance(whole.op, ast.And) else " or ").join(part(site, each) for each in values)


def _late(node: ast.expr, facts: Facts) -> tuple[ast.BoolOp, list[ast.expr]] | None:
    """The innermost `and` or `or` with known operands behind the tensor, and its operands in their new order."""
    current: ast.AST | None = node
    while isinstance(current, ast.expr):
        if isinstance(current, ast.BoolOp):
            values = _ordered(current.values, facts)
            if values != current.values and _is_truth(current, facts):
                return current, values
        current = facts.parent(current)
    return None


def _ordered(values: list[ast.expr], facts: Facts) -> list[ast.expr]:
    """The operands, with each known one moved in front of the tensors, but of nothing else, before it."""
    first = next((at for at, each in enumerate(values) if _is_data(each, facts)), len(values))
    known, tensors, rest = list[ast.expr](), list[ast.expr](), values[first:]
    while rest and (_is_data(rest[0], facts) or _is_known(rest[0], facts)):
        (tensors if _is_data(rest[0], facts) else known).append(rest.pop(0))
    return [*values[:first], *known, *tensors, *rest] if any(map(_is_switch, known)) else values


def _is_switch(node: ast.expr) -> bool:
    """True for a flag, or a question such as `x is None`: for some callers it decides without the tensor."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_switch(operand)
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]) | ast.Name() | ast.Attribute():
            return True
    return False


def _is_data(node: ast.expr, facts: Facts) -> bool:
    return any(isinstance(each, ast.expr) and facts.kinds(each) & DATA for each in walk(node)) and not _is_known(
        node, facts
    )


def _is_known(node: ast.expr, facts: Facts) -> bool:
    """True if the question cannot raise, and needs no value of a tensor."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_known(operand, facts)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
            return _is_name(left, facts) and isinstance(right, ast.Constant)
        case ast.Compare(left=left, comparators=others):
            return all(_is_name(each, facts) and _is_number(each, facts) for each in (left, *others))
        case ast.Name() | ast.Attribute():
            return _is_name(node, facts) and not facts.kinds(node) & ~PLAIN
    return False


def _is_number(node: ast.expr, facts: Facts) -> bool:
    kinds = facts.kinds(node)
    return bool(kinds) and not kinds & ~(CONSTANT | SYMINT)


def _is_name(node: ast.expr, facts: Facts) -> bool:
    """True for a name, a constant, or an attribute of something that is there."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=ast.Name() as owner):
            kinds = facts.kinds(owner)
            return bool(kinds & (MODULE | OBJECT)) and not kinds & (NONE | UNKNOWN) and is_quiet(node, facts)
    return False


def _is_truth(node: ast.BoolOp, facts: Facts) -> bool:
    """True if only the truth of the result matters, or the result is a bool whichever operand decides."""
    return in_test(node, facts.parent) or all(_is_bool(each, facts) for each in node.values) or only_asked(node, facts)


def _is_bool(node: ast.expr, facts: Facts) -> bool:
    match node:
        case ast.Constant(value=bool()) | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(_is_bool(each, facts) for each in values)
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return True
        case ast.Compare(left=left, comparators=others):
            return all(_is_number(each, facts) for each in (left, *others))
        case ast.Call():
            return facts.resolve(node.func) in ("builtins.bool", "builtins.isinstance", "builtins.hasattr")
    return False
