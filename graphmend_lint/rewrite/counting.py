"""The number of elements that a mask selects, taken from the mask: `len(torch.nonzero(mask))` as `mask.sum()`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.imports import torch_name
from graphmend_lint.rewrite.number_uses import uses
from graphmend_lint.rewrite.scalar import CAVEAT, can_fill, filled, rewritten

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

ESCAPES: Final = Refusal("shape-depends-on-data", "a result of fixed shape would have other elements")
INDICES: Final = frozenset({"torch.nonzero", "torch.Tensor.nonzero", "torch.argwhere", "torch.Tensor.argwhere"})


def how_many(node: ast.expr, facts: Facts) -> ast.expr | None:
    """The expression around `node` that is its length: `len(node)`, `node.shape[0]`, `node.size(0)`."""
    above = facts.parent(node)
    match above:
        case ast.Call(args=[only], keywords=[]) if only is node and facts.resolve(above.func) == "builtins.len":
            return above
        case ast.Attribute(attr="shape"):
            around = facts.parent(above)
            first = isinstance(around, ast.Subscript) and around.value is above and _is_zero(around.slice)
            return around if first and isinstance(around, ast.expr) else None
        case ast.Attribute(attr="size"):
            around = facts.parent(above)
            first = isinstance(around, ast.Call) and len(around.args) == 1 and _is_zero(around.args[0])
            return around if first and isinstance(around, ast.expr) else None
    return None


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 0 and node.value is not False


def count(node: ast.expr, mask: ast.expr, facts: Facts) -> Fix | Refusal:
    """The count as a 0-dim tensor, if that serves wherever the number goes; a refusal if it does not."""
    used, torch = uses(node, facts, INTEGRAL), torch_name(facts, node)
    if used.escapes or not used.consumers or torch is None or not can_fill(node, used, INTEGRAL, facts):
        return ESCAPES
    counts = "sum" if facts.value(mask).traits & BOOL else "count_nonzero"

    def edits(site: Site) -> tuple[Edit, ...]:
        text = f"{site.operand(mask)}.{counts}()"
        changed = {call: filled(call, value, text, INTEGRAL, torch, site) for call, value in used.fills}
        return rewritten({node: text} | changed, used, site)

    caveat = used.caveat or CAVEAT
    imports = ("torch",) if used.fills or any(each.imports for each in used.places) else ()
    return Fix("Count with a reduction", Applicability.UNSAFE, edits, caveat, imports)


def indices(node: ast.Call, facts: Facts) -> ast.expr | None:
    """The tensor whose nonzero elements a call looks for; None unless it returns one row of indices for each."""
    if facts.resolve(node.func) not in INDICES or node.keywords:
        return None
    match node:
        case ast.Call(args=[tensor]):
            pass
        case ast.Call(args=[], func=ast.Attribute(value=tensor)):
            pass
        case _:
            return None
    return tensor if facts.kinds(tensor) == TENSOR else None
