"""Indices of the elements for which a mask holds, used only as an index: the mask itself serves as well."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import is_number, meta
from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.arms import changed_later
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.number_uses import loads_of
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.shapes import dotted

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

#: makes a selection by the indices a reduction under the mask, which has a name or not
Reduced = Callable[[ast.Subscript, ast.expr, "str | None", "Facts"], "Callable[[Site], Edit] | Refusal"]

WHERE: Final = frozenset({"torch.where"})
NONZERO: Final = frozenset({"torch.nonzero", "torch.Tensor.nonzero"})
CAVEAT: Final = (
    "Indices may be fewer than the elements of the tensor; a mask must have the shape of its leading dimensions."
)


def as_mask(node: ast.Call, facts: Facts, reduced: Reduced) -> Fix | None:
    """`x[torch.where(mask)]` as `x[mask]`, also by way of a name; None if a graph break would be left."""
    mask, above = _mask(node, facts), facts.parent(node)
    if mask is None or torch_name(facts, node) is None:
        return None
    name = _name(above.targets) if isinstance(above, ast.Assign) else None
    if name and not is_fresh(mask, facts) and (dotted(mask) is None or changed_later(dotted(mask) or "", node, facts)):
        return None  # the indices were those of the mask as it was then
    indices = [node] if name is None or not isinstance(above, ast.Assign) else loads_of(name, above, facts)
    edits = [_edits(each, mask, name, facts, reduced) for each in indices or ()]
    if not edits or any(each is None for each in edits):
        return None

    def built(site: Site) -> tuple[Edit, ...]:
        around = [edit(site) for each in edits for edit in each or ()]
        own = name is not None or not around
        return (*((site.expression(node, site.argument(mask)),) if own else ()), *around)

    return Fix("Index with the mask itself", Applicability.UNSAFE, built, CAVEAT, ("torch",))


def _edits(
    node: ast.expr, mask: ast.expr, name: str | None, facts: Facts, reduced: Reduced
) -> list[Callable[[Site], Edit]] | None:
    """The edits where the indices are used; None if a mask would break the graph there."""
    above = facts.parent(node)
    if not isinstance(above, ast.Subscript) or above.slice is not node or facts.kinds(above.value) != TENSOR:
        return None
    if isinstance(above.ctx, ast.Load):
        edit = reduced(above, mask, name, facts)
        return None if isinstance(edit, Refusal) else [edit]
    match facts.parent(above):
        case ast.Assign(targets=[_], value=value):
            one = is_number(value, facts) or (facts.kinds(value) == TENSOR and meta(value, facts).is_0d)
            return [] if one else None  # one number may be stored under a mask
    return None


def _name(targets: list[ast.expr]) -> str | None:
    return targets[0].id if len(targets) == 1 and isinstance(targets[0], ast.Name) else None


def _mask(node: ast.Call, facts: Facts) -> ast.expr | None:
    """The bool tensor whose True elements the call looks for, in all dimensions at once."""
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
