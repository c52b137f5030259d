"""Indices of the elements for which a mask holds, used as nothing but an index: the mask itself does as well."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.shapes import dotted

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphmend_lint.facts import Facts

WHERE: Final = frozenset({"torch.where"})
NONZERO: Final = frozenset({"torch.nonzero", "torch.Tensor.nonzero"})
CAVEAT: Final = (
    "Indices may be fewer than the elements of the tensor; a mask must have the shape of its leading dimensions."
)


def as_mask(node: ast.Call, facts: Facts, reduces: Callable[[ast.expr, Facts], bool]) -> Fix | None:
    """`x[torch.where(mask)]` as `x[mask]`, also by way of a name, where that is known to break no graph.

    `reduces` says whether a selection is one that is rewritten once it is made by a mask.
    """
    mask = _mask(node, facts)
    if mask is None:
        return None
    above = facts.parent(node)
    indices: list[ast.expr] | None = [node]
    if isinstance(above, ast.Assign):
        if not is_fresh(mask, facts) and (dotted(mask) is None or changed_later(dotted(mask) or "", node, facts)):
            return None  # the indices were those of the mask as it was then
        indices = loads_of(_name(above.targets[0]) or "", above, facts) if len(above.targets) == 1 else None
    if not indices or not all(_indexes(each, facts, reduces) for each in indices):
        return None
    return Fix(
        title="Index with the mask itself",
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(node, site.argument(mask)),),
        caveat=CAVEAT,
    )


def _name(target: ast.expr) -> str | None:
    return target.id if isinstance(target, ast.Name) else None


def _mask(node: ast.Call, facts: Facts) -> ast.expr | None:
    """The bool tensor that the call looks for in all dimensions at once."""
    name, as_tuple = facts.resolve(node.func), [word.arg for word in node.keywords] == ["as_tuple"]
    found: ast.expr | None = None
    match node:
        case ast.Call(args=[tensor], keywords=[]) if name in WHERE:
            found = tensor
        case ast.Call(args=[tensor], keywords=[ast.keyword(value=ast.Constant(value=True))]) if name in NONZERO:
            found = tensor if as_tuple else None
        case ast.Call(
            args=[], func=ast.Attribute(value=tensor), keywords=[ast.keyword(value=ast.Constant(value=True))]
        ):
            found = tensor if as_tuple and name in NONZERO else None
    if found is None or facts.kinds(found) != TENSOR:
        return None
    return found if facts.value(found).traits & BOOL or meta(found, facts).is_bool else None


def _indexes(node: ast.expr, facts: Facts, reduces: Callable[[ast.expr, Facts], bool]) -> bool:
    """True if the indices select what is reduced, or where one number is stored."""
    above = facts.parent(node)
    if not isinstance(above, ast.Subscript) or above.slice is not node or facts.kinds(above.value) != TENSOR:
        return False
    if isinstance(above.ctx, ast.Load):
        return reduces(above, facts)
    match facts.parent(above):
        case ast.Assign(targets=[_], value=value):
            return is_number(value, facts) or (facts.kinds(value) == TENSOR and meta(value, facts).is_0d)
        case ast.AugAssign(value=value, op=ast.Add() | ast.Sub() | ast.Mult()):
            return is_number(value, facts) and isinstance(node, ast.Name)
    return False
