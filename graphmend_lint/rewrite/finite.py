"""Tests for NaN and infinity: the side that is not taken then has a gradient that is NaN, though it is given zero."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.grad_mode import no_grad
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import CONTAINER, TENSOR, UNKNOWN
from graphmend_lint.model import Refusal
from graphmend_lint.rewrite.derived_from import CUTS
from graphmend_lint.shapes import assignment, dotted
from graphmend_lint.syntax import children, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

TESTS: Final = frozenset({"isnan", "isinf", "isfinite", "isneginf", "isposinf"})
#: kinds of values that a gradient may pass through
CARRIES: Final = TENSOR | CONTAINER | UNKNOWN
DEPTH: Final = 5
RETURNED: Final = ""

SPREADS: Final = Refusal(
    "nan-gradient", "what is not finite passes its gradient, NaN times zero, to the side that is not taken"
)


def spreads(node: ast.If | ast.IfExp, facts: Facts) -> Refusal | None:
    """Why both sides cannot be computed, if only one of them rests on what is tested for NaN or infinity."""
    tested = _tested(node.test, facts, DEPTH)
    if not tested or no_grad(node, facts):
        return None
    if isinstance(node, ast.IfExp):
        return SPREADS if _reads(node.body, tested, facts) != _reads(node.orelse, tested, facts) else None
    then, other = _given(node.body), _given(node.orelse)
    if RETURNED in then.keys() ^ other.keys():
        values = [then.get(RETURNED), other.get(RETURNED)]
        return SPREADS if any(value and not _reads(value, tested, facts) for value in values) else None
    for name in then.keys() | other.keys():
        sides = [_reads(side[name], tested, facts) if name in side else name in tested for side in (then, other)]
        if sides[0] != sides[1]:
            return SPREADS
    return None


def _given(block: list[ast.stmt]) -> dict[str, ast.AST]:
    """The values that statements give to names, and the one that they return."""
    found: dict[str, ast.AST] = {}
    for statement in block:
        parts, path = assignment(statement), None
        if isinstance(statement, ast.Return) and statement.value is not None:
            found[RETURNED] = statement.value
        if parts is not None and (path := dotted(parts.target)) is not None:
            found[path] = parts.augmented or parts.value
    return found


def _tested(test: ast.expr, facts: Facts, depth: int) -> set[str]:
    """Paths of what is asked whether it is finite."""
    found = set[str]()
    for node in walk(test):
        if isinstance(node, ast.Call) and _last(node) in TESTS:
            found |= _paths(node)
        elif isinstance(node, ast.Name) and depth and (given := definition(node, facts).value) is not None:
            found |= _tested(given, facts, depth - 1)
    return found


def _paths(node: ast.AST) -> set[str]:
    """Names and paths that are read, but for modules and functions."""
    func = node.func if isinstance(node, ast.Call) else None
    inside = [func.value] if isinstance(func, ast.Attribute) and dotted(func.value) != "torch" else []
    arguments = [*node.args, *(word.value for word in node.keywords)] if isinstance(node, ast.Call) else []
    if func is not None:
        return {path for each in (*inside, *arguments) for path in _paths(each)}
    path = dotted(node) if isinstance(node, ast.Name | ast.Attribute) else None
    return {path} if path is not None else {each for below in children(node) for each in _paths(below)}


def _reads(value: ast.AST, tested: set[str], facts: Facts, depth: int = DEPTH) -> bool:
    """True if the value passes a gradient on to what is tested."""
    if isinstance(value, ast.Call) and _last(value) in CUTS:
        return False
    if isinstance(value, ast.expr) and not facts.kinds(value) & CARRIES:
        return False
    if isinstance(value, ast.expr) and dotted(value) in tested:
        return True
    if isinstance(value, ast.Name):
        given = definition(value, facts).value if depth else None
        return given is not None and _reads(given, tested, facts, depth - 1)
    method = [value.func.value] if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else []
    below = children(value) if not isinstance(value, ast.Call) else [*method, *value.args, *value.keywords]
    return any(_reads(each, tested, facts, depth) for each in below)


def _last(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
