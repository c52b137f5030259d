"""Lists of numbers read from a tensor: `max(t.tolist())`, `for number in t.tolist()`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from graphmend_lint.facts.meta import meta
from graphmend_lint.facts.selected import is_selection
from graphmend_lint.facts.values import BOOL, INTEGRAL, TENSOR
from graphmend_lint.model import Applicability, Fix
from graphmend_lint.rewrite.changes import may_change_path
from graphmend_lint.rewrite.number_uses import Uses, loads_of, uses, uses_of_name
from graphmend_lint.rewrite.scalar import CAVEAT, TITLE, dtype_kind, may_change, rewritten
from graphmend_lint.rewrite.select import is_fresh
from graphmend_lint.shapes import names_read
from graphmend_lint.syntax import walk

if TYPE_CHECKING:
    from graphmend_lint.facts import Facts

REDUCED: Final = {"builtins.max": ".max()", "builtins.min": ".min()", "builtins.sum": ".sum()"}

SPREADS: Final = "The largest and the smallest number are NaN as soon as one of them is."


def listed(node: ast.expr, facts: Facts) -> Fix | None:
    """A rewrite of `node`, if it is a call of `tolist` whose numbers may stay in tensors."""
    tensor = _tensor(node, facts)
    kind = dtype_kind(tensor, facts) if tensor is not None else BOOL
    if tensor is None or kind == BOOL:
        return None
    detached, above = "" if kind == INTEGRAL else ".detach()", facts.parent(node)
    match above:
        case ast.Call(args=[only], keywords=[]) if only is node:
            reduced = REDUCED.get(facts.resolve(above.func) or "")
            return _reduced(above, tensor, detached + reduced, kind, facts) if reduced else None
        case ast.For() | ast.Assign() if is_selection(tensor, facts):
            return None  # as many tensors as data says, which no graph can unbind
        case ast.For(target=ast.Name(id=name), body=body) if above.iter is node:
            copied = ".detach().clone()" if _changes(tensor, body, facts) else detached
            return _fix(node, tensor, f"{copied}.unbind()", uses_of_name(name, above, facts, kind), facts)
        case ast.Subscript(slice=index) if _is_int(index) and above.value is node:
            return _fix(above, tensor, f"{detached}[{ast.unparse(index)}]", uses(above, facts, kind), facts)
        case ast.Assign(targets=[target]):
            function = facts.function(above)
            body = [] if function is None or isinstance(function, ast.Lambda) else function.body
            copied = ".detach().clone()" if _changes(tensor, body, facts) else detached
            return _fix(node, tensor, f"{copied}.unbind()", _unpacked(target, above, kind, facts), facts)
    return None


def _tensor(node: ast.expr, facts: Facts) -> ast.expr | None:
    """The tensor of `tensor.tolist()`."""
    match node:
        case ast.Call(func=ast.Attribute(value=tensor), args=[], keywords=[]):
            reads = facts.resolve(node.func) == "torch.Tensor.tolist" and facts.kinds(tensor) == TENSOR
            return tensor if reads and not facts.may_be_other(tensor) else None
    return None


def _reduced(node: ast.expr, tensor: ast.expr, appended: str, kind: int, facts: Facts) -> Fix | None:
    found = _fix(node, tensor, appended, uses(node, facts, kind), facts)
    if found is None or kind == INTEGRAL or appended.endswith(".sum()"):
        return found
    return found._replace(caveat=f"{found.caveat} {SPREADS}")


def _unpacked(target: ast.expr, statement: ast.Assign, kind: int, facts: Facts) -> Uses:
    """What becomes of the numbers of a list that has a name, or whose numbers have."""
    found = Uses(kind=kind)
    match target:
        case ast.Name(id=name):
            elements = [_element(each, facts) for each in loads_of(name, statement, facts) or ()]
            found.escapes = None in elements
            for element in filter(None, elements):
                found.follow(element, facts)
        case ast.Tuple(elts=names):
            found.escapes = not all(isinstance(each, ast.Name) for each in names)
            for name in (each.id for each in names if isinstance(each, ast.Name)):
                found.follow_name(name, statement, facts)
        case _:
            found.escapes = True
    return found


def _element(node: ast.expr, facts: Facts) -> ast.expr | None:
    """`numbers[0]`, around the name of a list."""
    above = facts.parent(node)
    return above if isinstance(above, ast.Subscript) and above.value is node and _is_int(above.slice) else None


def _is_int(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else node
    return isinstance(number, ast.Constant) and type(number.value) is int


def _fix(node: ast.expr, tensor: ast.expr, appended: str, used: Uses, facts: Facts) -> Fix | None:
    """The list, or a number of it, left in the tensor, if that does wherever the numbers go."""
    if used.escapes or not used.consumers or used.fills:
        return None
    wide = meta(tensor, facts).dtype == "int64"
    whole = ".long()" if used.indexes and not wide else ""  # bytes and bools would be taken for a mask
    return Fix(
        title=TITLE,
        applicability=Applicability.UNSAFE,
        edits=lambda site: rewritten({node: site.operand(tensor) + whole + appended}, used, site),
        caveat=used.caveat or CAVEAT,
        imports=tuple({name for each in used.places for name in each.imports}),
    )


def _changes(tensor: ast.expr, body: list[ast.stmt], facts: Facts) -> bool:
    """True if the tensor may be changed in place while these statements run, or before a gradient is taken."""
    if is_fresh(tensor, facts):
        return False
    changed = any(may_change_path(path, tensor, facts) for path in names_read(tensor))
    return changed or any(may_change(each, facts) for statement in body for each in walk(statement))
