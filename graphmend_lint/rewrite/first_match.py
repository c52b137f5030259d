"""`(steps == t).nonzero()[0].item()`: the place of the first match, as `(steps == t).int().argmax().item()`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import BOOL, TENSOR
from graphmend_lint.model import Applicability, Edit, Fix, Refusal
from graphmend_lint.rewrite.scalar import scalar
from graphmend_lint.rewrite.tried import in_try

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts
    from graphmend_lint.rewrite.site import Site

NAMES: Final = frozenset({"torch.nonzero", "torch.argwhere", "torch.Tensor.nonzero", "torch.Tensor.argwhere"})
CAVEAT: Final = "Where nothing matches the place is 0, where it used to be an error."
ONE: Final = "Where nothing matches the place is 0, and where several do the first; both used to be an error."


def read_place(node: ast.Call | ast.Subscript, facts: Facts) -> Fix | None:
    """The fix of `first_match`, asked for at the node that reads the place as a number."""
    owner = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
    found = owner if owner is not None else node.args[0] if isinstance(node, ast.Call) and node.args else None
    found = found.value if isinstance(found, ast.Subscript) else found
    return first_match(found, facts) if isinstance(found, ast.Call) else None


def first_match(node: ast.Call, facts: Facts) -> Fix | None:
    """The place of the first element that is not zero, by `argmax`; None for any other use of the places.

    It is read as one number, so the tensor has one dimension. That reading is a break of its own, to be fixed next.
    """
    mask = _mask(node, facts)
    if mask is None or facts.kinds(mask) != TENSOR or not facts.value(mask).traits & BOOL:
        return None
    place: ast.AST = node
    above = facts.parent(place)
    match above:
        case ast.Subscript(slice=ast.Constant(value=0)) if above.value is node:
            place, above = above, facts.parent(above)
    read = _read(place, above, facts)
    if read is None or not isinstance(place, ast.expr) or isinstance(scalar(read, facts), Refusal):
        return None
    if in_try(node, facts):
        return None  # that nothing matches may be told by the error
    whole = place

    def edits(site: Site) -> tuple[Edit, ...]:
        return (site.expression(whole, f"{site.operand(mask)}.int().argmax()"),)

    return Fix("Find the first match with `argmax`", Applicability.UNSAFE, edits, ONE if whole is node else CAVEAT)


def _mask(node: ast.Call, facts: Facts) -> ast.expr | None:
    name = facts.resolve(node.func) or ""
    if name not in NAMES or node.keywords:
        return None
    if isinstance(node.func, ast.Attribute) and name.startswith("torch.Tensor."):
        return node.func.value if not node.args else None
    return node.args[0] if len(node.args) == 1 else None


def _read(place: ast.AST, above: ast.AST | None, facts: Facts) -> ast.Call | None:
    """`place.item()`, or `int(place)`."""
    match above:
        case ast.Attribute(attr="item"):
            call = facts.parent(above)
            return call if isinstance(call, ast.Call) and call.func is above and not call.args else None
        case ast.Call(args=[argument], keywords=[]) if argument is place:
            return above if facts.resolve(above.func) == "builtins.int" else None
    return None
