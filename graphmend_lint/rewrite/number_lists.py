"""Lists of numbers read from a tensor: `max(t.tolist())`, `for number in t.tolist()`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.number_uses import Uses, uses, uses_of_name
from graphmend_lint.rewrite.scalar import CAVEAT, TITLE, dtype_kind, may_change, may_change_path
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.shapes import names_read

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

REDUCED: Final = {"builtins.max": ".max()", "builtins.min": ".min()", "builtins.sum": ".sum()"}


def listed(node: ast.expr, facts: Facts) -> Fix | None:
    """A rewrite of `node`, if it is a call of `tolist` whose numbers may stay in tensors."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor), args=[], keywords=[]):
            if facts.resolve(node.func) != "torch.Tensor.tolist" or facts.kinds(tensor) != TENSOR:
                return None
        case _:
            return None
    kind, above = dtype_kind(tensor, facts), facts.parent(node)
    if kind == BOOL:
        return None
    detached = "" if kind == INTEGRAL else ".detach()"
    if isinstance(above, ast.Call) and above.args == [node] and not above.keywords:
        reduced = REDUCED.get(facts.resolve(above.func) or "")
        return _fix(above, tensor, detached + reduced) if reduced and _plain(uses(above, facts)) else None
    if isinstance(above, ast.For) and above.iter is node and isinstance(above.target, ast.Name):
        copied = ".detach().clone()" if _changes(tensor, above, facts) else detached
        plain = _plain(uses_of_name(above.target.id, above, facts))
        return _fix(node, tensor, f"{copied}.unbind()") if plain else None
    return None


def _plain(used: Uses) -> bool:
    """True if tensors do as well, and none is filled with one of the numbers: what is done then is not worked out."""
    return not used.escapes and bool(used.consumers) and not used.fills


def _fix(node: ast.expr, tensor: ast.expr, appended: str) -> Fix:
    return Fix(
        title=TITLE,
        applicability=Applicability.UNSAFE,
        edits=lambda site: (site.expression(node, site.operand(tensor) + appended),),
        caveat=CAVEAT,
    )


def _changes(tensor: ast.expr, loop: ast.For, facts: Facts) -> bool:
    """True if the tensor may be changed in place while the loop runs, or before a gradient is taken."""
    if is_fresh(tensor, facts):
        return False
    changed = any(may_change_path(path, tensor, facts) for path in names_read(tensor))
    return changed or any(may_change(each, facts) for statement in loop.body for each in ast.walk(statement))
