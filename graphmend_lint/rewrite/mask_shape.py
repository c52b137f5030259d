"""How a mask lies over the tensor that it selects from."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from graphmend_lint.facts.meta import meta

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts


def fitting(tensor: ast.expr, mask: ast.expr, facts: Facts) -> bool:
    """True if the mask has the tensor's shape, given that `tensor[mask]` does not raise.

    A mask made from the tensor has at least its dimensions, and indexing allows no more.
    """
    shape, of_mask = meta(tensor, facts).shape, meta(mask, facts).shape
    return shape is not None and of_mask is not None and shape <= of_mask


def widened(mask: str, tensor: str) -> str:
    """The mask of leading dimensions, so that it broadcasts over the others."""
    return f"{mask}.reshape({mask}.shape + (1,) * ({tensor}.ndim - {mask}.ndim))"


def needs_parentheses(node: ast.expr, facts: Facts) -> bool:
    """True if an operator beside the expression would bind tighter than a division in its place."""
    match facts.parent(node):
        case ast.BinOp(op=op):
            return not isinstance(op, ast.Add | ast.Sub)
        case ast.Call(args=arguments):
            return node not in arguments
        case ast.stmt() | ast.keyword() | ast.Tuple() | ast.List() | ast.Dict() | ast.IfExp():
            return False
    return True
