"""`if n > 0: y = x / n`: the division with a divisor that is never zero, so that both sides can be computed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.shares import holds_at_zero
from graphmend_lint.facts.values import TENSOR
from graphmend_lint.model import Applicability, Edit, Fix
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.in_place import changed_later
from graphmend_lint.shapes import block_of, names_bound
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

SIGNS: Final[dict[type[ast.cmpop], str]] = {
    ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


class Tested(NamedTuple):
    """A name that a condition compares with a number."""

    name: str
    test: str  #: the comparison
    then: bool  #: the name is not 0 where the condition holds, not where it does not
    inside: bool = True  #: and so is it where the comparison holds

    def divisor(self, torch: str) -> str:
        """What the name holds, or 1 where the division is not taken.

        (NaN is neither above 0 nor not: the comparison is not turned round.)
        """
        sides = f"{self.name}, 1" if self.inside else f"1, {self.name}"
        return f"{torch}.where({self.test}, {sides})"


def safe_divisors(node: ast.If, facts: Facts, otherwise: Fix | None) -> Fix | None:
    """Divisions made safe where a condition has tested the divisor; kept only if the branch can be fixed after that.

    `otherwise` is the fix to fall back on.
    """
    tested = _tested(node.test)
    torch = torch_name(facts, node)
    if tested is None or torch is None:
        return None
    name = tested.name
    block = node.body if tested.then else node.orelse or _after(node, facts)
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
        return tuple(site.expression(each, tested.divisor(torch)) for each in found)

    return Fix(
        "Divide by a number that is never zero", Applicability.SAFE, edits, otherwise=otherwise, opens=True, last=True
    )


def _tested(test: ast.expr) -> Tested | None:
    """The name that a condition finds not to be 0, on one of its two sides."""
    match test:
        case ast.Name(id=name):
            return Tested(name, f"{name} != 0", then=True)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
            return Tested(name, f"{name} != 0", then=False)
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
    at_zero = None if isinstance(bound, bool) else holds_at_zero(op, bound)
    if at_zero is None:
        return None
    if isinstance(op, ast.Eq) and at_zero:
        return Tested(name, f"{name} != 0", then=False)
    return Tested(name, f"{name} {SIGNS[type(op)]} {bound!r}", then=not at_zero, inside=not at_zero)


def _after(node: ast.If, facts: Facts) -> list[ast.stmt]:
    """What comes after an `if` that returns."""
    parent = facts.parent(node)
    block = block_of(node, parent) if parent is not None and isinstance(node.body[-1], ast.Return) else []
    return block[block.index(node) + 1 :] if block else []


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
