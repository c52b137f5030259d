"""Means over the elements that a mask selects: `torch.where(mask, x, 0).mean() / mask.to(x.dtype).mean()`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number
from graphmend_lint.facts.reaching import definition
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.shapes import same

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

COMPARE: Final[dict[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


def divides_by_share(node: ast.BinOp, facts: Facts) -> bool:
    """True if the divisor is zero only where the mask selects nothing, so that no gradient is spoilt by it."""
    match node.right:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Attribute(value=mask, attr="to")), attr="mean"), args=[]
        ):
            is_mask = facts.kinds(mask) == TENSOR and bool(facts.value(mask).traits & BOOL)
            return is_mask and _is_behind(node.left, mask, facts)
    return False


def never_zero(node: ast.expr, facts: Facts) -> bool:
    """True for `torch.where(n > 0, n, 1)` and `torch.where(n <= 0, 1, n)`, also with other tests that tell 0."""
    match node:
        case ast.Call(
            args=[
                ast.Compare(left=left, ops=[op], comparators=[ast.Constant(value=int() | float() as bound)]),
                where,
                otherwise,
            ],
            keywords=[],
        ) if (at_zero := holds_at_zero(op, bound)) is not None:
            other, chosen = (where, otherwise) if at_zero else (otherwise, where)
            fits = isinstance(other, ast.Constant) and bool(other.value) and same(left, chosen)
            return fits and facts.resolve(node.func) == "torch.where"
    return False


def holds_at_zero(op: ast.cmpop, bound: float) -> bool | None:
    """Whether `0 op bound` holds; None for what is no comparison of numbers."""
    compare = COMPARE.get(type(op))
    return None if compare is None else bool(compare(0, bound))


def _is_behind(node: ast.expr, mask: ast.expr, facts: Facts) -> bool:
    """True if every tensor in the expression comes through `torch.where(mask, ..., number)`."""
    match node:
        case ast.Call(args=[test, _, ast.Constant()], keywords=[]) if facts.resolve(node.func) == "torch.where":
            return same(test, mask) or _is_view(test, mask)
        case ast.Name():
            given = definition(node, facts).value
            return given is not None and _is_behind(given, mask, facts)
        case ast.BinOp(left=left, right=right):
            return all(is_number(each, facts) or _is_behind(each, mask, facts) for each in (left, right))
        case ast.UnaryOp(operand=operand):
            return _is_behind(operand, mask, facts)
        case ast.Call(func=ast.Attribute(value=owner)) if (name := facts.resolve(node.func) or "").startswith("torch."):
            parts = [*([owner] if name.startswith("torch.Tensor.") else []), *node.args]
            parts += [word.value for word in node.keywords]
            return all(isinstance(each, ast.Constant) or _is_behind(each, mask, facts) for each in parts)
    return False


def _is_view(test: ast.expr, mask: ast.expr) -> bool:
    match test:
        case ast.Call(func=ast.Attribute(value=owner, attr="reshape")):
            return same(owner, mask)
    return False
