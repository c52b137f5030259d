"""Tests for NaN and infinity: `x.isnan()`, `x != x`, `x < float("inf")`, or a function that does it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import words
from graphmend_lint.facts.reaching import definition
from graphmend_lint.project import FunctionDef
from graphmend_lint.shapes import dotted, same
from graphmend_lint.syntax import kept, walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

TESTS: Final = words("isnan isinf isfinite isneginf isposinf")
LIMITS: Final = frozenset(
    f"{module}.{name}" for module in ("math", "torch", "np", "numpy", "float") for name in words("inf nan infty NaN")
)
HUGE: Final = 1e30  #: numbers that nothing comes to but what overflows


def asks_for_limits(node: ast.expr, facts: Facts) -> bool:
    """True for a call or comparison that tells finite numbers from NaN or infinity."""
    if _asks(node):
        return True
    if isinstance(node, ast.Compare):
        return any(_is_named_limit(each, facts) for each in (node.left, *node.comparators))
    target = facts.value(node.func).target if isinstance(node, ast.Call) else None
    return isinstance(target, FunctionDef) and _function_asks(target.node)


@kept(256)
def _function_asks(function: ast.AST) -> bool:
    return any(isinstance(each, ast.Call | ast.Compare) and _asks(each) for each in walk(function))


def _asks(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in TESTS
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]) if same(left, right):
            return True
        case ast.Compare(left=left, ops=ops, comparators=others):
            ordered = any(isinstance(each, ORDERS) for each in ops)
            return any(_is_limit(each) or (ordered and _is_largest(each)) for each in (left, *others))
    return False


ORDERS: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _is_largest(node: ast.expr) -> bool:
    """True for the largest and the smallest number of a dtype: what is beyond them is infinite."""
    match node:
        case ast.Attribute(value=ast.Call(func=function), attr="max" | "min"):
            return (dotted(function) or "").rpartition(".")[2] == "finfo"
    return False


def _is_named_limit(node: ast.expr, facts: Facts) -> bool:
    given = definition(node, facts).value if isinstance(node, ast.Name) else None
    return given is not None and _is_limit(given)


def _is_limit(node: ast.expr) -> bool:
    """True for infinity, for NaN, and for numbers so large that they stand for infinity."""
    match node:
        case ast.UnaryOp(operand=operand):
            return _is_limit(operand)
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str())]):
            return True
        case ast.Constant(value=float(number)):
            return abs(number) >= HUGE
    return isinstance(node, ast.Attribute) and dotted(node) in LIMITS
