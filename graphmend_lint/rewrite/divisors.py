"""`if n > 0: y = x / n`: the division with a divisor that is never zero, so that both sides can be computed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.shapes import block_of, names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: comparisons with 0 that hold only where a number is not 0, and those that hold where it is
NOT_ZERO: Final[dict[type[ast.cmpop], str]] = {ast.Gt: ">", ast.NotEq: "!=", ast.Lt: "<"}
ZERO: Final[dict[type[ast.cmpop], str]] = {ast.Eq: "!=", ast.LtE: ">", ast.GtE: "<"}


def safe_divisors(node: ast.If, facts: Facts, otherwise: Fix | None) -> Fix | None:
    """Divisions made safe where a condition has tested the divisor; kept only if the branch can be fixed after that.

    `otherwise` is the fix to fall back on.
    """
    tested = _tested(node.test)
    torch = torch_name(facts, node)
    if tested is None or torch is None:
        return None
    name, sign, then = tested
    block = node.body if then else node.orelse or _after(node, facts)
    if name in names_bound(block) or changed_later(name, node, facts):
        return None
    found = [
        each.right
        for statement in block
        for each in walk(statement)
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Div) and _is_name(each.right, name)
    ]
    if not found or not all(facts.kinds(each) == TENSOR and meta(each, facts).is_0d for each in found):
        return None

    def edits(site: Site) -> tuple[Edit, ...]:
        return tuple(site.expression(each, f"{torch}.where({name} {sign} 0, {name}, 1)") for each in found)

    return Fix(
        "Divide by a number that is never zero", Applicability.SAFE, edits, otherwise=otherwise, opens=True, last=True
    )


def _tested(test: ast.expr) -> tuple[str, str, bool] | None:
    """The name that is compared with 0, by what it is not 0, and whether that holds where the test does."""
    match test:
        case ast.Name(id=name):
            return name, "!=", True
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
            return name, "!=", False
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=int() | float() as bound)]):
            pass
        case ast.Compare(
            left=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="item"), args=[]),
            ops=[op],
            comparators=[ast.Constant(value=int() | float() as bound)],
        ):
            pass
        case _:
            return None
    if bound != 0 or isinstance(bound, bool):
        return None
    if type(op) in NOT_ZERO:
        return name, NOT_ZERO[type(op)], True
    return (name, ZERO[type(op)], False) if type(op) in ZERO else None


def _after(node: ast.If, facts: Facts) -> list[ast.stmt]:
    """What comes after an `if` that returns."""
    parent = facts.parent(node)
    block = block_of(node, parent) if parent is not None and isinstance(node.body[-1], ast.Return) else []
    return block[block.index(node) + 1 :] if block else []


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
